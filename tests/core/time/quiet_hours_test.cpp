#include "core/time/quiet_hours.hpp"

#include <doctest/doctest.h>

#include "os/files/time_zones.hpp"

using namespace andon;
using namespace andon::core;

namespace {

Instant at(char const* text) { return parse_instant(text).value(); }

}  // namespace

TEST_CASE("QuietHours.LastOverMidnight") {
  QuietHours const quiet{"22:00", "07:00", "Europe/Berlin"};
  auto const* zones = &os::time_zones();
  CHECK_FALSE(end_of(quiet, zones, at("2026-11-21T20:59:59Z")));
  CHECK(end_of(quiet, zones, at("2026-11-21T21:00:00Z")) == at("2026-11-22T06:00:00Z"));
  CHECK(end_of(quiet, zones, at("2026-11-22T05:59:59Z")) == at("2026-11-22T06:00:00Z"));
  CHECK_FALSE(end_of(quiet, zones, at("2026-11-22T06:00:00Z")));
}

TEST_CASE("QuietHours.OfOneDay") {
  QuietHours const quiet{"12:00", "13:30", ""};
  CHECK_FALSE(end_of(quiet, nullptr, at("2026-11-21T11:59:00Z")));
  CHECK(end_of(quiet, nullptr, at("2026-11-21T12:00:00Z")) == at("2026-11-21T13:30:00Z"));
  CHECK_FALSE(end_of(quiet, nullptr, at("2026-11-21T13:30:00Z")));
}

TEST_CASE("QuietHours.AreTimesOfTheDay") {
  for (auto const* good : {"00:00", "23:59"}) CHECK(is_time_of_day(good));
  for (auto const* bad : {"", "24:00", "12:60", "1:00", "12-00", "12:0x", "112:00"})
    CHECK_FALSE(is_time_of_day(bad));
}
