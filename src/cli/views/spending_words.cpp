#include "cli/views/spending_words.hpp"

#include <vector>

namespace andon::cli {
namespace {

std::string listed(std::vector<std::string> const& parts) {
  std::string out;
  for (auto const& part : parts)
    if (!part.empty()) out.append(out.empty() ? "" : ", ").append(part);
  return out;
}

std::string counted(std::int64_t n, std::string const& word) {
  return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
}

std::vector<std::string> of_limits(core::Allowance const& limit, core::Spending const& spent) {
  std::vector<std::string> out;
  if (limit.usd > 0) {
    auto const used = core::is_partly_unknown(spent) ? core::cost_words(core::known_cost(spent), true)
                                                     : "$" + core::plain_money(spent.usd);
    out.push_back(used + " of $" + core::plain_money(limit.usd));
  }
  if (limit.tokens > 0)
    out.push_back(std::to_string(spent.tokens) + " of " + std::to_string(limit.tokens) + " tokens");
  if (limit.time > core::Duration{})
    out.push_back(core::to_text(spent.time) + " of " + core::to_text(limit.time));
  if (limit.usd > 0 && spent.unpriced > 0)
    out.push_back(std::to_string(spent.unpriced) + " tokens without a price");
  return out;
}

}  // namespace

std::string spent_words(service::TaskSpending const& spent) {
  auto const time = spent.time > core::Duration{} ? core::to_text(spent.time) : std::string{};
  return listed({core::cost_words(spent.cost_usd, spent.unpriced > 0),
                 spent.tokens > 0 ? counted(spent.tokens, "token") : "", time, counted(spent.runs, "run")});
}

std::string day_words(service::DayBudget const& budget) {
  if (budget.limit != core::Allowance{}) return listed(of_limits(budget.limit, budget.spent));
  auto const& spent = budget.spent;
  return listed({core::cost_words(core::known_cost(spent), core::is_partly_unknown(spent)),
                 spent.tokens > 0 ? counted(spent.tokens, "token") : ""});
}

}  // namespace andon::cli
