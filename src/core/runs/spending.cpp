#include "core/runs/spending.hpp"

#include <algorithm>
#include <array>

namespace andon::core {
namespace {

constexpr double kLeastMoney = 0.01;

struct Measure {
  bool (*is_reached)(Allowance const&, Spending const&);
  std::string (*says)(Allowance const&, Spending const&);
};
constexpr std::array kMeasures{
    Measure{[](Allowance const& a, Spending const& s) { return a.tokens > 0 && s.tokens >= a.tokens; },
            [](Allowance const& a, Spending const& s) {
              return std::to_string(s.tokens) + " of " + std::to_string(a.tokens) + " tokens";
            }},
    Measure{[](Allowance const& a, Spending const& s) { return a.usd > 0 && s.usd >= a.usd; },
            [](Allowance const& a, Spending const& s) {
              return "$" + plain_money(s.usd) + " of $" + plain_money(a.usd);
            }},
    Measure{[](Allowance const& a, Spending const& s) { return a.time > Duration{} && s.time >= a.time; },
            [](Allowance const& a, Spending const& s) { return to_text(s.time) + " of " + to_text(a.time); }},
};

template <class Number>
Number remainder(Number limit, Number spent, Number least) {
  return limit > Number{} ? std::max<Number>(limit - spent, least) : limit;
}

}  // namespace

bool is_partly_unknown(Spending const& spent) { return spent.unpriced > 0 || spent.unpriced_runs > 0; }

std::optional<double> known_cost(Spending const& spent) {
  bool const is_known = spent.usd > 0 || spent.unpriced_runs < spent.runs;
  return is_known ? std::optional{spent.usd} : std::nullopt;
}

std::string cost_words(std::optional<double> usd, bool is_partly_unknown) {
  if (!usd || *usd <= 0) return is_partly_unknown ? "cost unknown" : "";
  auto const sum = *usd < kLeastMoney ? "<$" + plain_money(kLeastMoney) : "$" + plain_money(*usd);
  return is_partly_unknown ? sum + " + unknown" : sum;
}

Spending spent_by(Run const& run) {
  Spending out;
  if (run.usage) {
    out.tokens = run.usage->input + run.usage->output;
    out.usd = run.usage->cost_usd.value_or(0);
    if (out.usd <= 0) out.unpriced = out.tokens;
  }
  bool const has_begun = run.pid || run.usage;
  if (out.tokens > 0 || out.usd > 0 || (run.ended && has_begun)) out.runs = 1;
  if (out.usd <= 0) out.unpriced_runs = out.runs;
  if (run.ended) out.time = *run.ended - run.started;
  return out;
}

Spending operator+(Spending const& a, Spending const& b) {
  return {a.tokens + b.tokens,     a.usd + b.usd,   a.time + b.time,
          a.unpriced + b.unpriced, a.runs + b.runs, a.unpriced_runs + b.unpriced_runs};
}

Spending operator-(Spending const& a, Spending const& b) {
  return {a.tokens - b.tokens,     a.usd - b.usd,   a.time - b.time,
          a.unpriced - b.unpriced, a.runs - b.runs, a.unpriced_runs - b.unpriced_runs};
}

std::optional<std::string> reached(Allowance const& limit, Spending const& spent) {
  auto const measure =
      std::ranges::find_if(kMeasures, [&](auto const& m) { return m.is_reached(limit, spent); });
  if (measure == kMeasures.end()) return std::nullopt;
  return measure->says(limit, spent);
}

Allowance left_of(Allowance const& limit, Spending const& spent) {
  return {remainder<std::int64_t>(limit.tokens, spent.tokens, 1),
          remainder(limit.usd, spent.usd, kLeastMoney), remainder(limit.time, spent.time, Duration{1})};
}

std::vector<Run> counted_runs(std::vector<Run> runs) {
  auto const last = std::ranges::find(runs.rbegin(), runs.rend(), Outcome::over_budget, &Run::outcome);
  runs.erase(runs.begin(), last.base());
  return runs;
}

bool is_tried_again(Outcome outcome) {
  return outcome == Outcome::failed || outcome == Outcome::timed_out || outcome == Outcome::lost;
}

}  // namespace andon::core
