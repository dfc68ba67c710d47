#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "core/time/time_zone.hpp"

namespace andon::core {

/// No moment that words name lies further ahead.
inline constexpr std::chrono::days kFarthest{366};

/// `today` is 0, `tomorrow` is 1.
struct DaysAhead {
  int count;
};
using DayName = std::variant<std::monostate, std::chrono::year_month_day, std::chrono::month_day,
                             std::chrono::weekday, DaysAhead>;
using ZoneName = std::variant<std::monostate, std::string, std::chrono::seconds>;

/// A moment by a clock, as it was written; what was left out is empty.
struct WrittenMoment {
  DayName day{};
  std::optional<std::chrono::seconds> time{};
  ZoneName zone{};
};

/// The first moment after `clock.now` that was meant. Nothing where the zone is unknown, where the day is
/// over, and beyond `kFarthest`, or 62 days where no year was named.
std::optional<Instant> moment_meant(WrittenMoment const& written, LocalClock const& clock);

}  // namespace andon::core
