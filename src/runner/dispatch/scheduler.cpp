#include "runner/dispatch/scheduler.hpp"

#include <algorithm>

#include "os/processes/log.hpp"
#include "service/automations/firing.hpp"

namespace andon::runner {
namespace {

/// The longest rest, since the clock may be set.
constexpr core::Duration kLongestScheduleRest = std::chrono::seconds{30};
constexpr core::Duration kRetryAfter = std::chrono::seconds{5};

}  // namespace

core::Instant Scheduler::step(core::Instant now) {
  auto const due = client_.call<&service::due_automations>();
  if (!due) return now + kRetryAfter;
  for (auto const& automation : due->items) {
    auto const fired = client_.call<&service::fire_automation>({{std::to_string(automation.id)}, {}});
    if (!fired) os::log(os::Level::warning, "automation " + automation.name + ": " + fired.error().message);
  }
  if (due->items.empty())
    return std::min(due->next.value_or(now + kLongestScheduleRest), now + kLongestScheduleRest);
  auto const then = client_.call<&service::due_automations>();
  if (!then || !then->items.empty()) return now + kRetryAfter;
  return std::min(then->next.value_or(now + kLongestScheduleRest), now + kLongestScheduleRest);
}

}  // namespace andon::runner
