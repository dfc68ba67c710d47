#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "core/time/time_zone.hpp"

namespace andon::os {

/// A day of the year and a time on it, in the local time that holds before the change.
struct YearlyChange {
  enum class Day {
    of_month,      ///< a weekday of a month: `Mm.w.d`
    of_year,       ///< day 1 to 365, never 29 February: `Jn`
    of_leap_year,  ///< day 0 to 365: `n`
  };
  Day day = Day::of_month;
  int month = 1;    ///< 1 to 12
  int week = 1;     ///< 1 to 5; 5 is the last one of the month
  int weekday = 0;  ///< 0 is Sunday
  int number = 0;   ///< the day of the year
  std::chrono::seconds time = std::chrono::hours{2};
};

/// The rule of a zone for all years: the value of the `TZ` variable in POSIX (Base Definitions 8.3), with the
/// extensions of RFC 8536 section 3.3.1 (hours from -167 to 167).
struct PosixZone {
  struct Daylight {
    std::chrono::seconds ahead{};  ///< of UTC
    YearlyChange begin, end;
  };
  std::chrono::seconds ahead{};  ///< standard time, ahead of UTC
  std::optional<Daylight> daylight;
};

/// Nothing for a text that is no rule, or names daylight saving time without its two changes.
std::optional<PosixZone> parse_posix_zone(std::string_view text);

/// The period around a time, by the rule alone.
core::ZonePeriod period(PosixZone const& zone, core::Instant at);

}  // namespace andon::os
