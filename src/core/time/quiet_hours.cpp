#include "core/time/quiet_hours.hpp"

#include <algorithm>

namespace andon::core {
namespace {

constexpr std::string_view kShape = "00:00";

int number_at(std::string_view text, std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); }

/// Since midnight, of `22:00`.
std::chrono::minutes since_midnight(std::string_view text) {
  return std::chrono::hours{number_at(text, 0)} + std::chrono::minutes{number_at(text, 3)};
}

}  // namespace

bool is_time_of_day(std::string_view text) {
  if (text.size() != kShape.size() || text[2] != ':') return false;
  for (auto const at : {0U, 1U, 3U, 4U})
    if (text[at] < '0' || text[at] > '9') return false;
  return number_at(text, 0) < 24 && number_at(text, 3) < 60;
}

std::optional<Instant> end_of(QuietHours const& quiet, TimeZones const* zones, Instant now) {
  constexpr auto kDay = std::chrono::hours{24};
  auto const ahead = zones && !quiet.tz.empty() ? zones->period(quiet.tz, now).ahead : std::chrono::seconds{};
  auto const local = now + ahead;
  Duration const since = local - std::chrono::floor<std::chrono::days>(local);
  auto const from = since_midnight(quiet.from);
  auto const to = since_midnight(quiet.to);
  bool const spans_midnight = from > to;
  bool const is_quiet = spans_midnight ? since >= from || since < to : since >= from && since < to;
  if (!is_quiet) return std::nullopt;
  auto const left = since < to ? to - since : to + kDay - since;
  // Clocks that are set in these hours make the end come early or late by an hour. It is looked at again
  // then.
  return now + std::chrono::duration_cast<Duration>(left);
}

}  // namespace andon::core
