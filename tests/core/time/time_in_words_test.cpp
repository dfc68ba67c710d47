#include "core/time/time_in_words.hpp"

#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "os/files/time_zones.hpp"

using namespace andon;
using namespace andon::core;

namespace {

Instant utc_moment(std::string_view text) { return parse_instant(text).value(); }

/// Noon of a Thursday in UTC, 13:00 in Berlin.
constexpr std::string_view kThursday = "2026-11-26T12:00:00Z";

/// The moment in UTC that a text means to a machine in a zone, to the second; empty for none.
std::string meant(std::string_view text, std::string_view now = kThursday,
                  std::string zone = "Europe/Berlin") {
  auto const at = time_in_words(text, {utc_moment(now), &os::time_zones(), std::move(zone)});
  return at ? to_text(*at).substr(0, 19) : std::string{};
}

}  // namespace

TEST_CASE("TimeInWords.ReadsAClockTimeOfANamedZone") {
  CHECK(meant("You've hit your session limit · resets 9am (Europe/Berlin)") == "2026-11-27T08:00:00");
  CHECK(meant("resets 2pm (Europe/Berlin)") == "2026-11-26T13:00:00");
  CHECK(meant("resets 1pm (Europe/Berlin)") == "2026-11-27T12:00:00");
  CHECK(meant("resets 9:30am (America/Argentina/Buenos_Aires)") == "2026-11-26T12:30:00");
  CHECK(meant("limit reached ∙ resets 5pm (America/Port-au-Prince)") == "2026-11-26T22:00:00");
  CHECK(meant("Your limit will reset at 3pm (America/New_York).") == "2026-11-26T20:00:00");
  CHECK(meant("resets 15:00 UTC") == "2026-11-26T15:00:00");
  CHECK(meant("resets at 15:00 UTC+2, then go on") == "2026-11-26T13:00:00");
  CHECK(meant("resets 15:00+05:30") == "2026-11-27T09:30:00");
  CHECK(meant("resets 15:00 -0800") == "2026-11-26T23:00:00");
  CHECK(meant("resets 6 AM PST") == "2026-11-26T14:00:00");
  CHECK(meant("RESETS 9AM (Europe/Berlin)") == "2026-11-27T08:00:00");
}

TEST_CASE("TimeInWords.ReadsAClockTimeOfTheMachine") {
  CHECK(meant("You've hit your usage limit. Upgrade or try again at 4:20 PM.") == "2026-11-26T15:20:00");
  CHECK(meant("try again at 4:20\u202fPM") == "2026-11-26T15:20:00");
  CHECK(meant("try again at 4:20 p.m. or upgrade") == "2026-11-26T15:20:00");
  CHECK(meant("Try again at 16:20:30") == "2026-11-26T15:20:30");
  CHECK(meant("try again at 12:30 AM") == "2026-11-26T23:30:00");
  CHECK(meant("try again at 12:30 PM") == "2026-11-27T11:30:00");
  CHECK(meant("4:20 PM") == "2026-11-26T15:20:00");
  CHECK(meant("try again at 4:20 PM", kThursday, "Asia/Tokyo") == "2026-11-27T07:20:00");
}

TEST_CASE("TimeInWords.ReadsADayWithATime") {
  std::string_view const summer = "2026-09-12T00:00:00Z";
  for (auto const* text :
       {"try again at Sep 19th, 2026 7:10 AM.", "try again on Saturday, Sep 19, 2026 at 7:10am",
        "resets September 19, 7:10 AM", "resets Sept. 19 at 07:10", "try again 19 Sep 2026 7:10",
        "available on 19th of September at 7:10", "resets 2026-09-19 07:10", "resets 2026-09-19T07:10",
        "resets 7:10 AM on Sep 19"})
    CHECK_MESSAGE(meant(text, summer) == "2026-09-19T05:10:00", text);
  CHECK(meant("resets Oct 3, 9am (America/New_York)", summer) == "2026-10-03T13:00:00");
  CHECK(meant("resets 9am (America/New_York) on Oct 3", summer) == "2026-10-03T13:00:00");
  CHECK(meant("resets Oct 3", summer) == "2026-10-02T22:00:00");
  CHECK(meant("resets Jan 2, 9am", "2026-12-30T00:00:00Z", "UTC") == "2027-01-02T09:00:00");
  CHECK(meant("resets tomorrow at 9am") == "2026-11-27T08:00:00");
  CHECK(meant("resets today at 5 PM") == "2026-11-26T16:00:00");
  CHECK(meant("resets Monday at 9am") == "2026-11-30T08:00:00");
  CHECK(meant("resets Thu 9:00 AM") == "2026-12-03T08:00:00");
  CHECK(meant("resets Thu 2:00 PM") == "2026-11-26T13:00:00");
  CHECK(meant("reset at 2026-11-27T07:10:00+01:00.") == "2026-11-27T06:10:00");
}

TEST_CASE("TimeInWords.ReadsHowLongToWait") {
  CHECK(meant("You've hit your usage limit. Try again in 3 days 4 hours.") == "2026-11-29T16:00:00");
  CHECK(meant("resets in 5h 12m") == "2026-11-26T17:12:00");
  CHECK(meant("try again in 20s") == "2026-11-26T12:00:20");
  CHECK(meant("Please try again in 1.898s. Visit …") == "2026-11-26T12:00:01");
  CHECK(meant("try again in 1 day, 2 hours and 3 minutes") == "2026-11-27T14:03:00");
  CHECK(meant("Your quota will reset after 18h44m53s.") == "2026-11-27T06:44:53");
  CHECK(meant("try again in less than a minute") == "2026-11-26T12:01:00");
  CHECK(meant("please wait 2 weeks") == "2026-12-10T12:00:00");
  CHECK(meant("in 6m0s") == "2026-11-26T12:06:00");
  CHECK(meant(R"({"retryDelay":"34s"})") == "2026-11-26T12:00:34");
}

TEST_CASE("TimeInWords.ReadsSecondsAndEpochs") {
  CHECK(meant("HTTP 429, Retry-After: 120") == "2026-11-26T12:02:00");
  CHECK(meant("retry after 90 seconds") == "2026-11-26T12:01:30");
  CHECK(meant(R"({"resets_in_seconds":3600})") == "2026-11-26T13:00:00");
  CHECK(meant("Claude AI usage limit reached|1795700000") == "2026-11-26T13:33:20");
  CHECK(meant(R"("resets_at":1795700000)") == "2026-11-26T13:33:20");
  CHECK(meant("1795700000000") == "2026-11-26T13:33:20");
}

TEST_CASE("TimeInWords.GuessesNothing") {
  for (auto const* text : {"",
                           " ",
                           "resets",
                           "resets soon",
                           "try again later",
                           "try again in a few minutes",
                           "resets 9",
                           "resets at 25:00",
                           "resets 13pm",
                           "resets 0am",
                           "resets 9:61",
                           "resets 9:5",
                           "resets 9am (Europe/Atlantis)",
                           "resets 9am XYZ",
                           "resets Feb 30, 9am",
                           "resets Mar 3 2020 9am",
                           "reset 5 minutes ago",
                           "try again in 900 weeks",
                           "resets_at: 1700000000",
                           "resets_at: 9795700000",
                           "it was 4:20 PM when I tried",
                           "retry 3 times",
                           "in 5h we can",
                           "resets today at 9am",
                           "resets 2026-13-40 07:10",
                           "resets 9am (../../etc/passwd)",
                           "resets 15:00 UTC+99",
                           "resets May 3, 9am",
                           "Sep",
                           "resets Sep",
                           "resets 1 2 3 4",
                           "resets 9:10:11:12",
                           "wait 99999999999999999999999999999999 h",
                           "resets 9007199254740993s"}) {
    CAPTURE(std::string{text});
    CHECK(meant(text) == "");
  }
  CHECK(meant("resets 9am", kThursday, "").empty());
  CHECK(meant("resets 9am", kThursday, "Nowhere/Land").empty());
  CHECK(meant("resets 9am UTC", kThursday, "") == "2026-11-27T09:00:00");
}

TEST_CASE("TimeInWords.FollowsClocksThatAreSet") {
  // Berlin's clocks go from 2:00 to 3:00 on 29 March and from 3:00 back to 2:00 on 25 October.
  CHECK(meant("resets 2:30", "2026-03-28T22:00:00Z") == "2026-03-29T01:00:00");
  CHECK(meant("resets 3am", "2026-03-28T22:00:00Z") == "2026-03-29T01:00:00");
  CHECK(meant("resets 9am", "2026-03-28T22:00:00Z") == "2026-03-29T07:00:00");
  CHECK(meant("resets 2:30", "2026-10-24T22:00:00Z") == "2026-10-25T00:30:00");
  CHECK(meant("resets 2:30", "2026-10-25T00:45:00Z") == "2026-10-25T01:30:00");
  CHECK(meant("resets 2:30", "2026-10-25T01:45:00Z") == "2026-10-26T01:30:00");
  CHECK(meant("resets 9am", "2026-10-24T22:00:00Z") == "2026-10-25T08:00:00");
  CHECK(meant("resets in 24h", "2026-10-24T22:00:00Z") == "2026-10-25T22:00:00");
}

TEST_CASE("TimeInWords.ReadsABoundedPartOfAText") {
  CHECK(meant(std::string(3000, 'x') + " resets in 5h").empty());
  CHECK(meant(std::string(1'000'000, '9')).empty());
}

TEST_CASE("TimeInWords.LiesAheadForAnyWords") {
  static std::vector<std::string> const kParts{
      "resets",      "try again", "in",  "at",   "9",         "am",         "PM",
      ":",           "20",        "Sep", "2026", "(",         ")",          ",",
      "-",           "+",         "UTC", "days", "h",         "Monday",     "1.5",
      "T",           "th",        "|",   "and",  "a",         "1795700000", "Europe/Berlin",
      "retry after", "tomorrow",  "·",   "30",   "2026-11-30"};
  auto const now = utc_moment(kThursday);
  rc::check([&] {
    std::string text = *rc::gen::arbitrary<bool>() ? "resets " : "";
    auto const count = *rc::gen::inRange<std::size_t>(0, 12);
    for (std::size_t i = 0; i < count; ++i)
      text +=
          kParts[*rc::gen::inRange<std::size_t>(0, kParts.size())] + (*rc::gen::arbitrary<bool>() ? " " : "");
    auto const at = time_in_words(text, {now, &os::time_zones(), "Europe/Berlin"});
    bool const is_ahead = !at || (*at > now && *at - now <= std::chrono::days{366});
    RC_ASSERT(is_ahead);
  });
}
