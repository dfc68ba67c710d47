#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/error.hpp"

namespace andon::core {

/// The local time of a zone.
using WallTime = std::chrono::local_time<std::chrono::seconds>;

/// A schedule in the notation of cron(8): bit n of a field is set when it names n.
struct Cron {
  std::uint64_t minutes = 0;
  std::uint32_t hours = 0;
  std::uint32_t days = 0;
  std::uint32_t months = 0;
  std::uint32_t weekdays = 0;  ///< 0 is Sunday
  /// The field begins with `*`. When neither does, a day has to match only one of day and weekday, as in
  /// cron(8).
  bool any_day = false;
  bool any_weekday = false;
  bool operator==(Cron const&) const = default;
};

/// Reads `MINUTE HOUR DAY MONTH WEEKDAY` with lists, ranges, steps (`*/15`, `8-18/2`, `5/20`) and names
/// (`MON-FRI`, `JAN`; Sunday is 0 or 7), or `@yearly @annually @monthly @weekly @daily @midnight @hourly`.
/// Refuses with `INVALID_INPUT` what cannot be read and what never comes, such as 30 February.
Result<Cron> parse_cron(std::string_view text);

/// The first full minute in [from, end) that the schedule names; nothing when there is none.
std::optional<WallTime> first_match(Cron const& cron, WallTime from, WallTime end);

/// Whether the schedule names every hour of the day.
bool is_hourly(Cron const& cron);

}  // namespace andon::core
