#pragma once

#include <chrono>

#include "core/time/clock_reading.hpp"
#include "core/time/time.hpp"

namespace andon::os {

/// The source of time. `now` is the wall clock, for people and records. `uptime` never falls and counts the
/// machine's sleep; use it to measure waits.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual core::Instant now() const = 0;
  virtual core::Duration uptime() const = 0;
  /// All clocks at one moment, even if the scheduler stops this thread in between.
  virtual core::ClockReading reading() const = 0;
};

class SystemClock : public Clock {
 public:
  core::Instant now() const override;
  core::Duration uptime() const override;
  core::ClockReading reading() const override;
};
inline SystemClock const kSystemClock;

/// The clock of local deadlines. It stops while the machine sleeps, as waits of the standard library do.
struct SteadyClock {
  using rep = std::chrono::steady_clock::rep;
  using period = std::chrono::steady_clock::period;
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;
  static constexpr bool is_steady = true;
  static time_point now();
};

/// The time that the machine has slept since it started.
core::Duration time_asleep();

}  // namespace andon::os
