#include "os/files/time_zones.hpp"

#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

using namespace andon;

namespace {

core::Instant instant_of(std::string_view text) { return core::parse_instant(text).value(); }

}  // namespace

TEST_CASE("TimeZones.TellWhenTheClocksWereSetAndHowFarTheyAreAhead") {
  auto const summer = os::time_zones().period("Europe/Berlin", instant_of("2026-07-01T00:00:00Z"));
  CHECK(summer.begin == instant_of("2026-03-29T01:00:00Z"));
  CHECK(summer.end == instant_of("2026-10-25T01:00:00Z"));
  CHECK(summer.ahead == std::chrono::hours{2});
  CHECK(os::time_zones().period("Europe/Berlin", summer.end).ahead == std::chrono::hours{1});
  auto const behind = os::time_zones().period("America/St_Johns", instant_of("2026-01-01T00:00:00Z"));
  CHECK(behind.ahead == -std::chrono::minutes{210});
}

TEST_CASE("TimeZones.OfOneDistanceForEverHaveOnePeriod") {
  for (auto const* zone : {"UTC", "Etc/UTC", "Etc/GMT+5"}) {
    auto const period = os::time_zones().period(zone, instant_of("2026-01-01T00:00:00Z"));
    CHECK(period.begin < instant_of("1800-01-01T00:00:00Z"));
    CHECK(period.end > instant_of("2900-01-01T00:00:00Z"));
  }
}

TEST_CASE("TimeZones.AreThoseOfTheTablesAndNothingElse") {
  CHECK(os::time_zones().knows("UTC"));
  CHECK(os::time_zones().knows("Asia/Kathmandu"));
  for (auto const* name : {"", "Europe", "Europe/Atlantis", "/usr/share/zoneinfo/UTC", "../zoneinfo/UTC",
                           "zone.tab", "right/Europe/Berlin"})
    CHECK_FALSE(os::time_zones().knows(name));
}

TEST_CASE("TimeZones.NameThatOfTheMachine") {
  char const* const before = std::getenv("TZ");
  std::string const kept = before ? before : "";
  struct Row {
    char const* variable;
    char const* zone;
  };
  for (auto const& row : {Row{"Europe/Berlin", "Europe/Berlin"}, Row{":Asia/Tokyo", "Asia/Tokyo"},
                          Row{"/usr/share/zoneinfo/Europe/Paris", "Europe/Paris"}, Row{"", "UTC"},
                          Row{"CET-1CEST", ""}, Row{"../../etc/passwd", ""}}) {
    CAPTURE(row.variable);
    ::setenv("TZ", row.variable, 1);
    CHECK(os::machine_time_zone() == row.zone);
  }
  ::unsetenv("TZ");
  auto const zone = os::machine_time_zone();
  CHECK((zone.empty() || os::time_zones().knows(zone)));
  if (before) ::setenv("TZ", kept.c_str(), 1);
}
