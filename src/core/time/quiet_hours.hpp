#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/field.hpp"
#include "core/time/time.hpp"
#include "core/time/time_zone.hpp"

namespace andon::core {

/// A part of every day in which something rests, by the clocks of a time zone. It may span midnight.
struct QuietHours {
  std::string from;  ///< `22:00`
  std::string to;
  std::string tz;  ///< such as Europe/Berlin; UTC when empty
  bool operator==(QuietHours const&) const = default;
};
void describe(auto& field, QuietHours const*) {
  field(&QuietHours::from, "from", "Time of the day at which they begin, such as 22:00", required);
  field(&QuietHours::to, "to", "Time of the day at which they end, such as 07:00", required);
  field(&QuietHours::tz, "tz", "Time zone, such as Europe/Berlin; UTC when left out");
}

/// True for a time of the day from `00:00` to `23:59`.
bool is_time_of_day(std::string_view text);

/// The end of the quiet hours that hold at `now`; nothing outside of them. The texts and the zone are valid.
/// Without zones the hours are those of UTC.
std::optional<Instant> end_of(QuietHours const& quiet, TimeZones const* zones, Instant now);

}  // namespace andon::core
