#pragma once

#include "core/time.hpp"

namespace andon::os {

/// Where the time comes from. `now` is the wall clock, for people and records; `uptime` only rises, also
/// while the machine sleeps, and is what waits are measured with.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual core::Instant now() const = 0;
  virtual core::Duration uptime() const = 0;
};

class SystemClock : public Clock {
 public:
  core::Instant now() const override;
  core::Duration uptime() const override;
};

/// Time the machine has slept since it started.
core::Duration time_asleep();

}  // namespace andon::os
