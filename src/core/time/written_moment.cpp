#include "core/time/written_moment.hpp"

#include <algorithm>
#include <vector>

#include "core/time/cron.hpp"

namespace andon::core {
namespace {

using namespace std::chrono;

constexpr auto kFarthestWithoutYear = days{62};

/// The distance of a zone's clocks from UTC, for both kinds of zones.
struct ZoneClock {
  TimeZones const* zones = nullptr;
  std::string name{};
  seconds fixed{};

  ZonePeriod period(Instant at) const {
    if (zones) return zones->period(name, at);
    return {Instant::min(), Instant::max(), fixed};
  }
  WallTime wall(Instant at) const {
    return WallTime{floor<seconds>(at.time_since_epoch()) + period(at).ahead};
  }
};

std::optional<ZoneClock> zone_clock(ZoneName const& zone, LocalClock const& clock) {
  if (auto const* fixed = std::get_if<seconds>(&zone)) return ZoneClock{nullptr, {}, *fixed};
  auto const* named = std::get_if<std::string>(&zone);
  auto const& name = named ? *named : clock.zone;
  if (!clock.zones || !clock.zones->knows(name)) return std::nullopt;
  return ZoneClock{clock.zones, name, {}};
}

/// The first moment after `now` at which the clocks show a time, or pass it over.
std::optional<Instant> moment(ZoneClock const& zone, WallTime at, Instant now) {
  auto const as_utc = Instant{at.time_since_epoch()};
  auto const before = zone.period(as_utc - days{1}).ahead;
  auto const after = zone.period(as_utc + days{1}).ahead;
  bool is_shown = false;
  for (auto const ahead : {std::max(before, after), std::min(before, after)}) {
    auto const moment = as_utc - ahead;
    if (zone.period(moment).ahead != ahead) continue;
    is_shown = true;
    if (moment > now) return moment;
  }
  if (is_shown) return std::nullopt;
  auto const end_of_gap = zone.period(as_utc - before).begin;
  return end_of_gap > now ? std::optional{end_of_gap} : std::nullopt;
}

/// The local days that a name can mean, the earliest first.
std::vector<local_days> days_meant(DayName const& day, local_days today) {
  if (auto const* full = std::get_if<year_month_day>(&day)) return {local_days{*full}};
  if (auto const* ahead = std::get_if<DaysAhead>(&day)) return {today + days{ahead->count}};
  if (auto const* named = std::get_if<weekday>(&day)) {
    auto const first = today + (*named - weekday{today});
    return {first, first + weeks{1}};
  }
  if (auto const* date = std::get_if<month_day>(&day)) {
    std::vector<local_days> out;
    auto const this_year = year_month_day{today}.year();
    for (auto const year : {this_year, this_year + years{1}})
      if (auto const full = year_month_day{year, date->month(), date->day()}; full.ok())
        out.emplace_back(full);
    return out;
  }
  return {today, today + days{1}, today + days{2}};
}

}  // namespace

std::optional<Instant> moment_meant(WrittenMoment const& written, LocalClock const& clock) {
  auto const zone = zone_clock(written.zone, clock);
  if (!zone) return std::nullopt;
  auto const today = floor<days>(zone->wall(clock.now));
  bool const has_year = std::holds_alternative<year_month_day>(written.day);
  for (auto const day : days_meant(written.day, today)) {
    if (std::chrono::abs(day - today) > kFarthest) continue;
    auto const at = moment(*zone, WallTime{day} + written.time.value_or(seconds{0}), clock.now);
    if (!at) continue;
    return *at - clock.now <= (has_year ? kFarthest : kFarthestWithoutYear) ? at : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace andon::core
