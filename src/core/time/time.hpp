#pragma once

#include <chrono>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace andon::core {

/// Milliseconds; the resolution of every time Andon stores.
using Duration = std::chrono::milliseconds;
/// A moment in UTC. It comes in as an argument: nothing below `api` reads a clock.
using Instant = std::chrono::sys_time<Duration>;

/// A calendar day without a time zone, as in a task's due date.
struct Date {
  std::chrono::sys_days day{};
  auto operator<=>(Date const&) const = default;
};

/// The day in UTC.
inline Date utc_day(Instant at) { return {std::chrono::floor<std::chrono::days>(at)}; }

/// RFC 3339 in UTC with milliseconds: `2026-11-21T08:00:00.000Z`.
std::string to_text(Instant at);
/// Accepts RFC 3339 with any offset and up to nine fractional digits (rounded down to milliseconds).
std::optional<Instant> parse_instant(std::string_view text);

/// `YYYY-MM-DD`, nothing else.
std::string to_text(Date date);
std::optional<Date> parse_date(std::string_view text);

/// Go notation without spaces, as kanban-md writes it: `1h30m0s` is written `1h30m`, zero is `0s`.
std::string to_text(Duration duration);
/// Accepts Go notation (`90m`, `1h30m`, `1.5h`, `250ms`, `0`) and days (`2d`); a bare number means seconds.
std::optional<Duration> parse_duration(std::string_view text);

}  // namespace andon::core
