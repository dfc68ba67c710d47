#include "core/time/clock_reading.hpp"

#include <algorithm>

namespace andon::core {
namespace {

/// The advance of the wall clock over the other clock between two readings.
Duration difference(ClockReading const& before, ClockReading const& after) {
  auto const by_wall = after.wall - before.wall;
  if (before.boot == after.boot) return by_wall - (after.uptime - before.uptime);
  return std::min(by_wall, Duration::zero());
}

}  // namespace

Duration step_between(ClockReading const& before, ClockReading const& after) {
  auto const step = difference(before, after);
  return std::chrono::abs(step) > kLeastStep ? step : Duration::zero();
}

Duration sleep_between(ClockReading const& before, ClockReading const& after) {
  auto const slept = before.boot == after.boot ? after.asleep - before.asleep : Duration::zero();
  return slept > kLeastSleep ? slept : Duration::zero();
}

ClockReading without_step(ClockReading const& before, ClockReading now) {
  now.wall -= difference(before, now);
  return now;
}

}  // namespace andon::core
