#pragma once

#include <string>

#include "core/field.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// All clocks of the machine at one moment.
struct ClockReading {
  Instant wall{};     ///< what people read; it can be set
  Duration uptime{};  ///< since the machine started, sleep included; it cannot be set
  Duration asleep{};  ///< how much of that it slept
  std::string boot;   ///< the kernel's random id of this start
};
void describe(auto& field, ClockReading const*) {
  field(&ClockReading::wall, "wall", "Wall clock", always);
  field(&ClockReading::uptime, "uptime", "Since the machine started", always);
  field(&ClockReading::asleep, "asleep", "Of that asleep", always);
  field(&ClockReading::boot, "boot", "Id of the start of the machine", always);
}

/// Smaller differences between the clocks are left alone.
inline constexpr Duration kLeastStep = std::chrono::seconds{5};
inline constexpr Duration kLeastSleep = std::chrono::seconds{1};

/// The step of the wall clock between two readings; zero for less than `kLeastStep`. Over a restart of the
/// machine the time without power is unknown. Then only a backward step can be seen, and only its least size.
Duration step_between(ClockReading const& before, ClockReading const& after);
/// The time for which the machine slept between two readings of one start; zero for less than `kLeastSleep`.
Duration sleep_between(ClockReading const& before, ClockReading const& after);
/// The reading that `before` would have become without a step by `now`.
ClockReading without_step(ClockReading const& before, ClockReading now);

}  // namespace andon::core
