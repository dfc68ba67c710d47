#pragma once

#include <chrono>

#include "core/time/clock_reading.hpp"
#include "core/time/time.hpp"

namespace andon::os {

/// Where the time comes from. `now` is the wall clock, for people and records; `uptime` only rises, also
/// while the machine sleeps, and is what waits are measured with.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual core::Instant now() const = 0;
  virtual core::Duration uptime() const = 0;
  /// All clocks as they were at one moment, however long this thread was kept from running in between.
  virtual core::ClockReading reading() const = 0;
};

class SystemClock : public Clock {
 public:
  core::Instant now() const override;
  core::Duration uptime() const override;
  core::ClockReading reading() const override;
};
inline SystemClock const kSystemClock;

/// The clock of local deadlines; it stands still while the machine sleeps, as waits of the standard library
/// do.
struct SteadyClock {
  using rep = std::chrono::steady_clock::rep;
  using period = std::chrono::steady_clock::period;
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;
  static constexpr bool is_steady = true;
  static time_point now();
};

/// Time the machine has slept since it started.
core::Duration time_asleep();

}  // namespace andon::os
