#include "runner/output/usage_meter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/model/usage_sum.hpp"

namespace andon::runner {
namespace {

using core::Usage;

/// The count in a field. The number comes from an untrusted program, so an implausible one is zero.
std::int64_t count(Event const& event, std::string_view name) {
  auto const number = event.number(name).value_or(0);
  return std::isfinite(number) && number > 0 && number < 1e15 ? std::llround(number) : 0;
}

std::optional<double> money(Event const& event, std::string_view name) {
  auto const number = event.number(name);
  bool const is_sane = number && std::isfinite(*number) && *number > 0 && *number < 1e9;
  return is_sane ? number : std::nullopt;
}

constexpr std::size_t kMostModels = 64;
constexpr std::size_t kLongestModel = 200;

/// The usage of a model. Names come from an untrusted program, so all names beyond a limit share one entry.
Usage& of_model(std::map<std::string, Usage>& by_model, Event const& event) {
  auto const name = event.text("model").substr(0, kLongestModel);
  bool const has_room = by_model.size() < kMostModels || by_model.contains(name);
  return by_model[has_room ? name : std::string{}];
}

Usage total(std::map<std::string, Usage> const& by_model) {
  Usage sum;
  for (auto const& [model, usage] : by_model) sum += usage;
  return sum;
}

/// The increase of a counter. A value that fell means that the program restarted its count.
template <class Number>
Number since(Number now, Number before) {
  return now < before ? now : now - before;
}

std::optional<double> since(std::optional<double> now, std::optional<double> before) {
  return now ? std::optional{since(*now, before.value_or(0))} : std::nullopt;
}

Usage since(Usage const& now, Usage const& before) {
  return {since(now.input, before.input),           since(now.output, before.output),
          since(now.cache_read, before.cache_read), since(now.cache_write, before.cache_write),
          since(now.reasoning, before.reasoning),   since(now.cost_usd, before.cost_usd)};
}

}  // namespace

Usage UsageMeter::normalised(Event const& event) const {
  Usage usage;
  usage.cache_read = count(event, "cache_read");
  usage.cache_write = count(event, "cache_write");
  usage.input = count(event, "input");
  usage.output = count(event, "output");
  usage.reasoning = count(event, "reasoning");
  usage.cost_usd = money(event, "cost");
  if (!rule_.includes_cache) usage.input += usage.cache_read + usage.cache_write;
  if (rule_.reasoning_from_total)
    usage.reasoning = std::max<std::int64_t>(0, count(event, "total") - usage.input - usage.output);
  if (!rule_.includes_reasoning) usage.output += usage.reasoning;
  return usage;
}

void UsageMeter::add(Event const& event) {
  has_any_ = true;
  auto const usage = normalised(event);
  auto const scope = event.scope.value_or(rule_.scope);
  if (scope != UsageScope::seen) seen_ = {};
  switch (scope) {
    case UsageScope::seen: seen_ += usage; return;
    case UsageScope::step: steps_ += usage; return;
    case UsageScope::run: of_model(of_run_, event) = usage; return;
    case UsageScope::session: of_model(of_session_, event) = usage; return;
  }
}

Usage UsageMeter::run() const {
  auto sum = steps_;
  sum += seen_;
  sum += total(of_run_);
  if (!of_session_.empty()) sum += since(total(of_session_), before_);
  return sum;
}

Usage UsageMeter::session() const { return of_session_.empty() ? before_ : total(of_session_); }

}  // namespace andon::runner
