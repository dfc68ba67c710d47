#include "os/files/posix_zone.hpp"

#include <doctest/doctest.h>

#include "core/time/time.hpp"
#include "os/files/time_zones.hpp"

using namespace andon;

namespace {

core::Instant at(std::string_view text) { return core::parse_instant(text).value(); }

core::ZonePeriod period_of(std::string_view rule, std::string_view when) {
  auto const zone = os::parse_posix_zone(rule);
  REQUIRE(zone);
  return os::period(*zone, at(when));
}

}  // namespace

TEST_CASE("PosixZone.ChangesTwiceAYear") {
  auto const summer = period_of("CET-1CEST,M3.5.0,M10.5.0/3", "2050-07-01T00:00:00Z");
  CHECK(summer.begin == at("2050-03-27T01:00:00Z"));
  CHECK(summer.end == at("2050-10-30T01:00:00Z"));
  CHECK(summer.ahead == std::chrono::hours{2});
  auto const winter = period_of("CET-1CEST,M3.5.0,M10.5.0/3", "2050-12-31T23:59:59Z");
  CHECK(winter.begin == summer.end);
  CHECK(winter.end == at("2051-03-26T01:00:00Z"));
  CHECK(winter.ahead == std::chrono::hours{1});
}

TEST_CASE("PosixZone.HasItsSummerAcrossTheYearInTheSouth") {
  auto const summer = period_of("<-04>4<-03>,M9.1.6/24,M4.1.6/24", "2060-01-01T00:00:00Z");
  CHECK(summer.begin == at("2059-09-07T04:00:00Z"));
  CHECK(summer.end == at("2060-04-04T03:00:00Z"));
  CHECK(summer.ahead == -std::chrono::hours{3});
}

TEST_CASE("PosixZone.CanHaveADaylightTimeBehindItsStandardTime") {
  CHECK(period_of("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-01-01T00:00:00Z").ahead == std::chrono::hours{0});
  CHECK(period_of("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-07-01T00:00:00Z").ahead == std::chrono::hours{1});
}

TEST_CASE("PosixZone.CountsDaysOfTheYearWithAndWithoutTheLeapDay") {
  CHECK(period_of("AAA1BCD2,J60/0,J300", "2052-05-01T00:00:00Z").begin == at("2052-03-01T01:00:00Z"));
  CHECK(period_of("AAA1BCD2,59/0,J300", "2052-05-01T00:00:00Z").begin == at("2052-02-29T01:00:00Z"));
  CHECK(period_of("EST5EDT4,0/0,J365/25", "2052-01-01T05:00:00Z").ahead == -std::chrono::hours{4});
}

TEST_CASE("PosixZone.OfOneOffsetHasOnePeriod") {
  auto const period = period_of("<+0330>-3:30", "2050-01-01T00:00:00Z");
  CHECK(period.ahead == std::chrono::minutes{210});
  CHECK(period.end > at("9000-01-01T00:00:00Z"));
}

TEST_CASE("PosixZone.IsNothingElse") {
  for (auto const* text : {"", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
                           "CET-1CEST,M3.6.0,M1.1.1", "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-168", "CET-1:60",
                           "<+03-3", "CET-1CEST,J0,J1", "CET-1CEST,366,J1", "CET-99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(os::parse_posix_zone(text));
  }
}

TEST_CASE("TimeZones.FollowTheRuleAfterTheLastYearOfTheTable") {
  auto const summer = os::time_zones().period("Europe/Berlin", at("2100-07-01T00:00:00Z"));
  CHECK(summer.begin == at("2100-03-28T01:00:00Z"));
  CHECK(summer.end == at("2100-10-31T01:00:00Z"));
  CHECK(summer.ahead == std::chrono::hours{2});
}
