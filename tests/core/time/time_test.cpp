#include "core/time/time.hpp"

#include <random>

#include <doctest/doctest.h>

using namespace andon;
using namespace std::chrono_literals;

namespace {
std::string instant(std::string_view text) {
  auto const at = core::parse_instant(text);
  return at ? core::to_text(*at) : "";
}
std::string duration_text(std::string_view text) {
  auto const parsed = core::parse_duration(text);
  return parsed ? core::to_text(*parsed) : "";
}
}  // namespace

TEST_CASE("Instant.IsRfc3339WithAnyOffsetAndFraction") {
  CHECK(instant("2026-11-21T08:00:00Z") == "2026-11-21T08:00:00.000Z");
  CHECK(instant("2026-11-21t08:00:00z") == "2026-11-21T08:00:00.000Z");
  CHECK(instant("2026-11-21T08:00:00+02:00") == "2026-11-21T06:00:00.000Z");
  CHECK(instant("2026-01-01T00:30:00+05:45") == "2025-12-31T18:45:00.000Z");
  CHECK(instant("2026-12-31T23:30:00-01:00") == "2027-01-01T00:30:00.000Z");
  CHECK(instant("2026-11-21T08:00:00.5Z") == "2026-11-21T08:00:00.500Z");
  CHECK(instant("2026-11-21T08:00:00.123999999Z") == "2026-11-21T08:00:00.123Z");
  CHECK(instant("2028-02-29T00:00:00Z") == "2028-02-29T00:00:00.000Z");
  CHECK(instant("1969-12-31T23:59:59.999Z") == "1969-12-31T23:59:59.999Z");
}

TEST_CASE("Instant.NothingElseIsOne") {
  for (auto const* bad :
       {"", "2026-11-21", "2026-11-21T08:00:00", "2026-11-21 08:00:00Z", "2026-11-21T08:00Z",
        "2027-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z",
        "2026-11-21T08:00:61Z", "2026-11-21T08:00:00.Z", "2026-11-21T08:00:00.1234567890Z",
        "2026-11-21T08:00:00+2:00", "2026-11-21T08:00:00+0200", "2026-11-21T08:00:00+24:00",
        "2026-11-21T08:00:00ZZ", "2026-11-21T08:00:00Z ", "+026-11-21T08:00:00Z"})
    CHECK_MESSAGE(instant(bad).empty(), bad);
}

TEST_CASE("Date.IsYearMonthDay") {
  CHECK(core::to_text(*core::parse_date("2028-02-29")) == "2028-02-29");
  for (auto const* bad : {"2027-02-29", "2026-1-1", "2026/01/01", "2026-01-01 ", "today", ""})
    CHECK_FALSE(core::parse_date(bad));
}

TEST_CASE("Duration.IsGoNotation") {
  CHECK(duration_text("90m") == "1h30m");
  CHECK(duration_text("1h30m0s") == "1h30m");
  CHECK(duration_text("1.5h") == "1h30m");
  CHECK(duration_text("250ms") == "250ms");
  CHECK(duration_text("1.001s") == "1s1ms");
  CHECK(duration_text("0") == "0s");
  CHECK(duration_text("0s") == "0s");
  CHECK(duration_text("90") == "1m30s");
  CHECK(duration_text("2d") == "48h");
  CHECK(duration_text("1500us") == "2ms");
  for (auto const* bad : {"", "h", "1x", "-1h", "+1h", "1h30", "0h30", "1 h", "1h 30m", "nan", "inf",
                          "infinity", "nans", "1e3s", "0x10s", "99999999h", "1h-30m", "."})
    CHECK_MESSAGE(duration_text(bad).empty(), bad);
}

TEST_CASE("Time.SurvivesItsTextForm") {
  std::mt19937_64 random{1};
  for (int i = 0; i < 5'000; ++i) {
    core::Instant const at{
        core::Duration{static_cast<std::int64_t>(random() % 8'000'000'000'000) - 2'000'000'000'000}};
    CHECK(core::parse_instant(core::to_text(at)) == at);
    core::Duration const d{static_cast<std::int64_t>(random() % 3'000'000'000'000)};
    CHECK(core::parse_duration(core::to_text(d)) == d);
  }
}
