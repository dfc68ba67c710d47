#include "os/clock.hpp"

#include <ctime>

namespace andon::os {
namespace {

core::Duration reading(clockid_t clock) {
  timespec at{};
  ::clock_gettime(clock, &at);
  return std::chrono::duration_cast<core::Duration>(std::chrono::seconds{at.tv_sec} +
                                                    std::chrono::nanoseconds{at.tv_nsec});
}

}  // namespace

core::Instant SystemClock::now() const { return core::Instant{reading(CLOCK_REALTIME)}; }
core::Duration SystemClock::uptime() const { return reading(CLOCK_BOOTTIME); }

core::Duration time_asleep() { return reading(CLOCK_BOOTTIME) - reading(CLOCK_MONOTONIC); }

}  // namespace andon::os
