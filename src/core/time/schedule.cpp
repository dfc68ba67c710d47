#include "core/time/schedule.hpp"

#include <algorithm>

namespace andon::core {
namespace {

using namespace std::chrono;

constexpr auto kLookAhead = days{40 * 366};
constexpr auto kTick = Duration{1};

WallTime wall_time(Instant at, seconds ahead) {
  return WallTime{ceil<seconds>(at.time_since_epoch()) + ahead};
}
Instant instant(WallTime at, seconds ahead) { return Instant{at.time_since_epoch() - ahead}; }

}  // namespace

std::optional<Instant> next_time(Cron const& cron, TimeZones const& zones, std::string_view zone,
                                 Instant after) {
  auto const horizon = after + kLookAhead;
  bool const once = !is_hourly(cron);
  auto period = zones.period(zone, after + kTick);
  auto before = zones.period(zone, period.begin - kTick).ahead;
  for (auto from = after + kTick; from < horizon;) {
    // Local times that the clocks showed in the previous period do not count again.
    auto start = wall_time(from, period.ahead);
    if (once) start = std::max(start, wall_time(period.begin, std::max(before, period.ahead)));
    auto const end = std::min(period.end, horizon);
    if (auto const at = first_match(cron, start, wall_time(end, period.ahead)))
      return instant(*at, period.ahead);
    if (end == horizon) break;
    from = period.end;
    before = period.ahead;
    period = zones.period(zone, from);
    bool const skipped =
        period.ahead > before && first_match(cron, wall_time(from, before), wall_time(from, period.ahead));
    if (once && skipped) return from;
  }
  return std::nullopt;
}

}  // namespace andon::core
