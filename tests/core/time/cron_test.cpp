#include "core/time/cron.hpp"

#include <doctest/doctest.h>

using namespace andon::core;
using namespace std::chrono;

namespace {

WallTime at(year_month_day day, minutes time = 0min) { return local_days{day} + time; }

Cron read(std::string_view text) {
  auto const cron = parse_cron(text);
  REQUIRE_MESSAGE(cron, text);
  return *cron;
}

/// The first times from the start of a day on.
std::vector<WallTime> times(std::string_view text, WallTime from, int count) {
  auto const cron = read(text);
  std::vector<WallTime> out;
  for (int i = 0; i < count; ++i) {
    auto const next = first_match(cron, from, from + days{366 * 41});
    REQUIRE(next);
    out.push_back(*next);
    from = *next + minutes{1};
  }
  return out;
}

std::string sentence(std::string_view text) {
  auto const cron = parse_cron(text);
  if (cron) return "understood";
  CHECK(cron.error().code == Code::kInvalidInput);
  CHECK(cron.error().field == "cron");
  return cron.error().message;
}

constexpr auto kSaturday = 2026y / 11 / 21;

}  // namespace

TEST_CASE("Cron.NamesMinutesHoursDaysMonthsAndWeekdays") {
  CHECK(times("30 8 * * *", at(kSaturday), 2) ==
        std::vector{at(kSaturday, 8h + 30min), at(2026y / 11 / 22, 8h + 30min)});
  CHECK(times("0 0 1 1 *", at(kSaturday), 1).front() == at(2027y / 1 / 1));
  CHECK(times("0 9 * * 1-5", at(kSaturday), 1).front() == at(2026y / 11 / 23, 9h));
  CHECK(times("59 23 31 12 *", at(kSaturday), 1).front() == at(2026y / 12 / 31, 23h + 59min));
}

TEST_CASE("Cron.ReadsListsRangesAndSteps") {
  CHECK(read("0,15,30,45 * * * *") == read("*/15 * * * *"));
  CHECK(read("0 8-18/2 * * *") == read("0 8,10,12,14,16,18 * * *"));
  CHECK(read("5/20 * * * *") == read("5,25,45 * * * *"));
  CHECK(read("0 0 * * 0") == read("0 0 * * 7"));
  CHECK(read("  0\t0  * * 0 ") == read("0 0 * * 0"));
  CHECK(times("*/50 * * * *", at(kSaturday), 3) ==
        std::vector{at(kSaturday), at(kSaturday, 50min), at(kSaturday, 60min)});
}

TEST_CASE("Cron.ReadsNamesInAnyCase") {
  CHECK(read("0 8 * JAN,jul MON-Fri") == read("0 8 * 1,7 1-5"));
  CHECK(read("0 8 * * FRI-SUN") == read("0 8 * * 5,6,0"));
  CHECK(read("@daily") == read("0 0 * * *"));
  CHECK(read("@Midnight") == read("@daily"));
  CHECK(read("@hourly") == read("0 * * * *"));
  CHECK(read("@weekly") == read("0 0 * * SUN"));
  CHECK(read("@monthly") == read("0 0 1 * *"));
  CHECK(read("@yearly") == read("@annually"));
}

TEST_CASE("Cron.TakesEitherOfDayAndWeekdayWhenBothAreRestricted") {
  CHECK(times("0 0 13 * FRI", at(kSaturday), 3) ==
        std::vector{at(2026y / 11 / 27), at(2026y / 12 / 4), at(2026y / 12 / 11)});
  CHECK(times("0 0 1 * *", at(kSaturday), 1).front() == at(2026y / 12 / 1));
  CHECK(times("0 0 */2 * SUN", at(kSaturday), 2) == std::vector{at(2026y / 11 / 29), at(2026y / 12 / 13)});
}

TEST_CASE("Cron.KnowsTheCalendar") {
  CHECK(times("0 0 29 2 *", at(kSaturday), 2) == std::vector{at(2028y / 2 / 29), at(2032y / 2 / 29)});
  CHECK(times("0 0 31 * *", at(2027y / 2 / 1), 2) == std::vector{at(2027y / 3 / 31), at(2027y / 5 / 31)});
  CHECK(times("0 0 29 2 *", at(2096y / 3 / 1), 1).front() == at(2104y / 2 / 29));
}

TEST_CASE("Cron.RefusesWhatItCannotReadInASentence") {
  CHECK(sentence("") ==
        "a schedule has five fields (minute hour day month weekday), such as 0 8 * * MON-FRI");
  CHECK(sentence("0 8 * *").starts_with("a schedule has five fields"));
  CHECK(sentence("0 8 * * * *").starts_with("a schedule has five fields"));
  CHECK(sentence("60 * * * *") == "\"60\" is no minute of a schedule (0 to 59)");
  CHECK(sentence("0 24 * * *") == "\"24\" is no hour of a schedule (0 to 23)");
  CHECK(sentence("0 0 0 * *") == "\"0\" is no day of a schedule (1 to 31)");
  CHECK(sentence("0 0 * 13 *") == "\"13\" is no month of a schedule (1 to 12)");
  CHECK(sentence("0 0 * * 8") == "\"8\" is no weekday of a schedule (0 to 7)");
  CHECK(sentence("0 0 * MON *") == "\"MON\" is no month of a schedule (1 to 12)");
  CHECK(sentence("5-1 * * * *").contains("runs backwards"));
  CHECK(sentence("*/0 * * * *").contains("no step"));
  CHECK(sentence("*/ * * * *").contains("no step"));
  CHECK(sentence("@reboot").starts_with("there is no \"@reboot\""));
  CHECK(sentence("0 0 30 2 *").contains("never comes"));
  CHECK(sentence("0 0 31 2,4,6,9,11 *").contains("never comes"));
  for (auto const* text :
       {", * * * *", "1, * * * *", "1- * * * *", "-1 * * * *", "1--2 * * * *", "1/2/3 * * * *", "+1 * * * *",
        "001 * * * *", "a * * * *", "** * * * *", "? * * * *", "L * * * *"})
    CHECK_MESSAGE(sentence(text) != "understood", text);
}
