#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/time/time.hpp"

namespace andon::core {

/// A stretch [begin, end) of time through which the clocks of a zone keep one distance to UTC.
struct ZonePeriod {
  Instant begin{};
  Instant end{};
  std::chrono::seconds ahead{};  ///< of UTC
};

/// The table of time zones, which somebody else keeps. Thread-safe.
class TimeZones {
 public:
  virtual ~TimeZones() = default;
  virtual bool knows(std::string_view zone) const = 0;
  /// The period of a known zone that contains `at`.
  virtual ZonePeriod period(std::string_view zone, Instant at) const = 0;
};

/// A moment, and the zone in which a clock of that place shows it.
struct LocalClock {
  Instant now{};
  TimeZones const* zones = nullptr;
  std::string zone;  ///< of times that name none; such times are not read where it is unknown
};

}  // namespace andon::core
