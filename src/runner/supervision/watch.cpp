#include "runner/supervision/watch.hpp"

#include <algorithm>

namespace andon::runner {

Watch::Watch(WatchLimits limits, core::Duration started, std::optional<core::Duration> renewed)
    : limits_(limits),
      started_(started),
      lease_end_(renewed.value_or(started) + limits.lease),
      output_(started) {}

void Watch::note_heartbeat(HeartbeatAnswer answer, core::Duration begun) {
  bool const is_held = answer == HeartbeatAnswer::held || answer == HeartbeatAnswer::advanced ||
                       answer == HeartbeatAnswer::reported;
  if (answer == HeartbeatAnswer::reported && !reported_) reported_ = begun;
  if (is_held) lease_end_ = std::max(lease_end_, begun + limits_.lease);
  if (answer == HeartbeatAnswer::advanced) output_ = std::max(output_, begun);
  if (answer == HeartbeatAnswer::stale) ordered_stop_ = StopReason::stale;
  if (answer == HeartbeatAnswer::cancelled) ordered_stop_ = StopReason::cancelled;
}

bool Watch::freeze(core::Duration now) {
  if (frozen_) return false;
  frozen_ = now;
  return true;
}

bool Watch::thaw(core::Duration now) {
  if (!frozen_) return false;
  started_ += now - *frozen_;
  output_ += now - *frozen_;
  if (reported_) *reported_ += now - *frozen_;
  frozen_.reset();
  return true;
}

void Watch::woke(core::Duration now) {
  if (limits_.wake_grace > core::Duration{})
    lease_end_ = std::max(lease_end_, now + std::min(limits_.wake_grace, limits_.lease));
  output_ = now;
}

std::array<Watch::Deadline, 5> Watch::deadlines() const {
  auto const is_limited = [this](core::Duration limit) { return limit > core::Duration{} && !frozen_; };
  return {Deadline{StopReason::lease_lost, lease_end_, true},
          Deadline{StopReason::total_time, started_ + limits_.total, is_limited(limits_.total)},
          Deadline{StopReason::no_first_event, started_ + limits_.first_event,
                   is_limited(limits_.first_event) && !has_begun_},
          Deadline{StopReason::silence, output_ + limits_.silence, is_limited(limits_.silence) && !in_tool_},
          Deadline{StopReason::reported, reported_.value_or(core::Duration{}) + limits_.exit,
                   is_limited(limits_.exit) && reported_}};
}

std::optional<StopReason> Watch::verdict(core::Duration now) const {
  if (ordered_stop_) return ordered_stop_;
  for (auto const& deadline : deadlines())
    if (deadline.is_set && now >= deadline.at) return deadline.reason;
  return std::nullopt;
}

core::Duration Watch::next() const {
  auto next = lease_end_;
  for (auto const& deadline : deadlines())
    if (deadline.is_set) next = std::min(next, deadline.at);
  return next;
}

}  // namespace andon::runner
