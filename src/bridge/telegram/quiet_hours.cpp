#include "bridge/telegram/quiet_hours.hpp"

namespace andon::bridge::telegram {
namespace {

/// Since midnight, of `22:00`.
std::chrono::minutes time_of_day(std::string_view text) {
  auto const number = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  return std::chrono::hours{number(0)} + std::chrono::minutes{number(3)};
}

}  // namespace

std::optional<core::Instant> end_of_quiet(Quiet const& quiet, core::TimeZones const& zones,
                                          core::Instant now) {
  constexpr auto kDay = std::chrono::hours{24};
  auto const zone = quiet.zone.empty() ? std::string_view{"UTC"} : std::string_view{quiet.zone};
  auto const local = now + zones.period(zone, now).ahead;
  auto const midnight = std::chrono::floor<std::chrono::days>(local);
  core::Duration const since = local - midnight;
  auto const from = time_of_day(quiet.from);
  auto const to = time_of_day(quiet.to);
  bool const is_over_midnight = from > to;
  bool const is_quiet = is_over_midnight ? since >= from || since < to : since >= from && since < to;
  if (!is_quiet) return std::nullopt;
  auto const left = since < to ? to - since : to + kDay - since;
  // Clocks that are set in these hours make the end come early or late by an hour; it is looked at again
  // then.
  return now + std::chrono::duration_cast<core::Duration>(left);
}

}  // namespace andon::bridge::telegram
