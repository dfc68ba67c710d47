#include "os/processes/clock.hpp"

#include <ctime>

#include "os/processes/process.hpp"

namespace andon::os {
namespace {

/// Readings that took longer do not belong to one moment, because the scheduler stopped the thread between
/// them.
constexpr core::Duration kOneMoment{20};
constexpr int kTries = 50;

core::Duration reading_of(clockid_t clock) {
  timespec at{};
  ::clock_gettime(clock, &at);
  return std::chrono::duration_cast<core::Duration>(std::chrono::seconds{at.tv_sec} +
                                                    std::chrono::nanoseconds{at.tv_nsec});
}

}  // namespace

core::Instant SystemClock::now() const { return core::Instant{reading_of(CLOCK_REALTIME)}; }
core::Duration SystemClock::uptime() const { return reading_of(CLOCK_BOOTTIME); }

core::ClockReading SystemClock::reading() const {
  core::ClockReading out;
  out.boot = boot_id();
  for (int tries = 0; tries < kTries; ++tries) {
    out.uptime = uptime();
    out.wall = now();
    out.asleep = time_asleep();
    if (uptime() - out.uptime <= kOneMoment) break;
  }
  return out;
}

SteadyClock::time_point SteadyClock::now() { return std::chrono::steady_clock::now(); }

core::Duration time_asleep() { return reading_of(CLOCK_BOOTTIME) - reading_of(CLOCK_MONOTONIC); }

}  // namespace andon::os
