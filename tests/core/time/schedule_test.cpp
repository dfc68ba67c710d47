#include "core/time/schedule.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "os/files/time_zones.hpp"

using namespace andon;
using namespace andon::core;

namespace {

Instant utc(std::string_view text) { return parse_instant(text).value(); }

/// The next times after `after`, in UTC.
std::vector<std::string> next(std::string_view cron, std::string_view zone, std::string_view after,
                              int count) {
  std::vector<std::string> out;
  auto at = utc(after);
  for (int i = 0; i < count; ++i) {
    auto const found = next_time(parse_cron(cron).value(), os::time_zones(), zone, at);
    REQUIRE(found);
    REQUIRE(*found > at);
    at = *found;
    out.push_back(to_text(at).substr(0, 16));
  }
  return out;
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("Schedule.FollowsTheClocksOfItsZone") {
  CHECK(next("0 8 * * *", "Europe/Berlin", "2026-01-15T00:00:00Z", 1) == Texts{"2026-01-15T07:00"});
  CHECK(next("0 8 * * *", "Europe/Berlin", "2026-07-15T00:00:00Z", 1) == Texts{"2026-07-15T06:00"});
  CHECK(next("0 8 * * *", "UTC", "2026-07-15T00:00:00Z", 1) == Texts{"2026-07-15T08:00"});
  CHECK(next("0 0 * * MON", "Asia/Kolkata", "2026-11-21T00:00:00Z", 1) == Texts{"2026-11-22T18:30"});
}

TEST_CASE("Schedule.ComesStrictlyAfterTheMomentAsked") {
  CHECK(next("0 8 * * *", "UTC", "2026-11-21T08:00:00Z", 1) == Texts{"2026-11-22T08:00"});
  CHECK(next("0 8 * * *", "UTC", "2026-11-21T07:59:59.999Z", 1) == Texts{"2026-11-21T08:00"});
  CHECK(next("* * * * *", "UTC", "2026-11-21T08:00:00.001Z", 1) == Texts{"2026-11-21T08:01"});
}

// Berlin skips 02:00 to 03:00 on 29 March 2026 (01:00 UTC) and shows it twice on 25 October.
TEST_CASE("Schedule.ASkippedTimeComesOnceAtTheFirstInstantAfterTheGap") {
  CHECK(next("30 2 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z", 3) ==
        Texts{"2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"});
  CHECK(next("*/10 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2) ==
        Texts{"2026-03-29T01:00", "2026-03-30T00:00"});
  CHECK(next("30 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2) ==
        Texts{"2026-03-29T01:00", "2026-03-29T01:30"});
  CHECK(next("0 3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2) ==
        Texts{"2026-03-29T01:00", "2026-03-30T01:00"});
  CHECK(next("30 2,3 * * *", "America/New_York", "2026-03-07T12:00:00Z", 2) ==
        Texts{"2026-03-08T07:00", "2026-03-08T07:30"});
}

TEST_CASE("Schedule.ATimeShownTwiceComesOnceAtItsFirstOccurrence") {
  CHECK(next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2) ==
        Texts{"2026-10-25T00:30", "2026-10-26T01:30"});
  CHECK(next("30 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", 1) == Texts{"2026-10-26T01:30"});
  CHECK(next("30 1,2 * * *", "America/New_York", "2026-11-01T04:00:00Z", 3) ==
        Texts{"2026-11-01T05:30", "2026-11-01T07:30", "2026-11-02T06:30"});
  CHECK(next("0 3 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 1) == Texts{"2026-10-25T02:00"});
}

TEST_CASE("Schedule.OfEveryHourFollowsThePassingOfTime") {
  CHECK(next("30 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 3) ==
        Texts{"2026-03-29T00:30", "2026-03-29T01:30", "2026-03-29T02:30"});
  CHECK(next("0 * * * *", "America/New_York", "2026-11-01T04:30:00Z", 4) ==
        Texts{"2026-11-01T05:00", "2026-11-01T06:00", "2026-11-01T07:00", "2026-11-01T08:00"});
  CHECK(next("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", 4) ==
        Texts{"2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30", "2026-10-25T02:00"});
}

// Lord Howe Island sets its clocks by half an hour: 02:00 to 02:30 is skipped on 4 October 2026 (15:30 UTC
// the day before), 01:30 to 02:00 shown twice on 5 April (15:00 UTC the day before).
TEST_CASE("Schedule.KnowsZonesThatChangeByHalfAnHour") {
  CHECK(next("15 2 * * *", "Australia/Lord_Howe", "2026-10-02T20:00:00Z", 2) ==
        Texts{"2026-10-03T15:30", "2026-10-04T15:15"});
  CHECK(next("45 1 * * *", "Australia/Lord_Howe", "2026-04-03T20:00:00Z", 2) ==
        Texts{"2026-04-04T14:45", "2026-04-05T15:15"});
  CHECK(next("*/15 * * * *", "Australia/Lord_Howe", "2026-10-03T15:00:00Z", 3) ==
        Texts{"2026-10-03T15:15", "2026-10-03T15:30", "2026-10-03T15:45"});
}

// Samoa crossed the date line: it had no 30 December 2011.
TEST_CASE("Schedule.ADayThatIsSkippedComesOnceAtItsEnd") {
  CHECK(next("0 9 30 12 *", "Pacific/Apia", "2011-12-01T00:00:00Z", 2) ==
        Texts{"2011-12-30T10:00", "2012-12-29T19:00"});
}

TEST_CASE("Schedule.WaitsForLeapYears") {
  auto const leap = parse_cron("0 0 29 2 *").value();
  CHECK(next_time(leap, os::time_zones(), "Europe/Berlin", utc("2026-01-01T00:00:00Z")) ==
        utc("2028-02-28T23:00:00Z"));
}

TEST_CASE("Schedule.MovesForwardAndNeverComesMoreOftenThanItsMinutes") {
  auto const daily = parse_cron("17 2 * * *").value();
  rc::check("one a day, a day apart but for the clocks", [&](std::uint32_t minutes, std::uint8_t pick) {
    constexpr std::array<std::string_view, 5> kZones{"Europe/Berlin", "America/New_York",
                                                     "Australia/Lord_Howe", "UTC", "Asia/Kathmandu"};
    auto const zone = kZones[pick % kZones.size()];
    auto const start = utc("2020-01-01T00:00:00Z") + std::chrono::minutes{minutes % (10 * 366 * 1440)};
    auto const first = next_time(daily, os::time_zones(), zone, start);
    auto const second = next_time(daily, os::time_zones(), zone, first.value());
    RC_ASSERT(*first > start);
    RC_ASSERT(*first - start <= std::chrono::hours{25});
    RC_ASSERT(second.value() - *first >= std::chrono::hours{23} - std::chrono::minutes{17});
    RC_ASSERT(*second - *first <= std::chrono::hours{25} + std::chrono::minutes{17});
  });
}

TEST_CASE("TimeZones.AreKnownByTheirNames") {
  for (auto const* zone : {"UTC", "Europe/Berlin", "America/New_York"}) CHECK(os::time_zones().knows(zone));
  for (auto const* zone : {"", "Berlin", "Europe/Nowhere", "../etc/passwd", "/etc/passwd", "CEST+2"})
    CHECK_FALSE(os::time_zones().knows(zone));
}
