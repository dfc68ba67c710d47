#include "os/time_zones.hpp"

#include <algorithm>
#include <date/tz.h>
#include <stdexcept>

namespace andon::os {
namespace {

constexpr std::string_view kUtc = "UTC";
/// The years a text of RFC 3339 can name.
constexpr core::Instant kFirst = std::chrono::sys_days{std::chrono::year{1} / 1 / 1};
constexpr core::Instant kLast = std::chrono::sys_days{std::chrono::year{9999} / 12 / 31};

date::time_zone const* find(std::string_view zone) {
  // A name that leads out of the table's directory names no zone.
  if (zone.empty() || zone.front() == '/' || zone.contains("..")) return nullptr;
  try {
    return date::locate_zone(std::string{zone});
  } catch (std::runtime_error const&) {
    return nullptr;
  }
}

core::Instant clamped(date::sys_seconds at) {
  return std::clamp(at, std::chrono::floor<std::chrono::seconds>(kFirst),
                    std::chrono::floor<std::chrono::seconds>(kLast));
}

class MachineZones final : public core::TimeZones {
 public:
  bool knows(std::string_view zone) const override { return zone == kUtc || find(zone); }

  core::ZonePeriod period(std::string_view zone, core::Instant at) const override {
    auto const* found = zone == kUtc ? nullptr : find(zone);
    if (!found) return {kFirst, kLast, {}};
    auto const info = found->get_info(std::chrono::floor<std::chrono::seconds>(at));
    return {clamped(info.begin), clamped(info.end), info.offset};
  }
};

}  // namespace

core::TimeZones const& time_zones() {
  static MachineZones const zones;
  return zones;
}

}  // namespace andon::os
