#include <doctest/doctest.h>

#include "core/runs/spending.hpp"
#include "os/files/time_zones.hpp"

using namespace andon::core;
using namespace std::chrono_literals;

namespace {

Run a_run(RunId id, std::optional<Outcome> outcome = {}) {
  Run run;
  run.id = id;
  run.outcome = outcome;
  return run;
}

}  // namespace

TEST_CASE("Budget.IsReachedByWhatIsSpentOfIt") {
  Spending const spent{1'000, 0.5, 30min, 0};
  CHECK_FALSE(reached({}, spent));
  CHECK_FALSE(reached({1'001, 0.51, 31min}, spent));
  CHECK(reached({1'000, 0, {}}, spent) == "1000 of 1000 tokens");
  CHECK(reached({0, 0.25, {}}, spent) == "$0.50 of $0.25");
  CHECK(reached({0, 0, 30min}, spent) == "30m of 30m");
}

TEST_CASE("Budget.WhatIsLeftIsNeverNoLimit") {
  Allowance const limit{1'000, 2, 1h};
  CHECK(left_of(limit, {400, 0.5, 20min, 0}) == Allowance{600, 1.5, 40min});
  CHECK(left_of(limit, {5'000, 9, 5h, 0}) == Allowance{1, 0.01, 1ms});
  CHECK(left_of({}, {5'000, 9, 5h, 0}) == Allowance{});
}

TEST_CASE("Budget.TheTighterOfTwoCounts") {
  CHECK(tighter({100, 0, 2h}, {50, 3, {}}) == Allowance{50, 3, 2h});
}

TEST_CASE("Spending.TellsTokensThatHaveNoPrice") {
  auto run = a_run(1);
  run.usage = Usage{700, 300, 100, 0, 50, 0};
  CHECK(spent_by(run) == Spending{1'000, 0, {}, 1'000, 1, 1});
  run.usage->cost_usd = 0.25;
  CHECK(spent_by(run) == Spending{1'000, 0.25, {}, 0, 1, 0});
  run.ended = run.started + 5min;
  CHECK(spent_by(run).time == 5min);
}

TEST_CASE("Spending.CountsARunOnceItUsedSomethingOrHasEnded") {
  auto run = a_run(1);
  run.pid = 7;
  CHECK(spent_by(run) == Spending{});
  run.ended = run.started + 5min;
  CHECK(spent_by(run) == Spending{0, 0, 5min, 0, 1, 1});
  run.pid.reset();
  CHECK(spent_by(run).runs == 0);
}

TEST_CASE("Spending.OfUnknownPriceIsNeverNothing") {
  Spending const nothing{}, priced{10, 1.2, {}, 0, 1, 0}, unpriced{10, 0, {}, 10, 1, 1};
  auto const words = [](Spending const& spent) {
    return cost_words(known_cost(spent), is_partly_unknown(spent));
  };
  CHECK(words(nothing).empty());
  CHECK(words(priced) == "$1.20");
  CHECK(words(unpriced) == "cost unknown");
  CHECK(words(priced + unpriced) == "$1.20 + unknown");
  CHECK(words({10, 0.001, {}, 0, 1, 0}) == "<$0.01");
  CHECK_FALSE(known_cost(unpriced));
}

TEST_CASE("Spending.OfATaskCountsSinceItsBudgetWasLastReached") {
  auto const counted = counted_runs(
      {a_run(1, Outcome::failed), a_run(2, Outcome::over_budget), a_run(3, Outcome::failed), a_run(4)});
  REQUIRE(counted.size() == 2);
  CHECK(counted.front().id == 3);
  CHECK(counted_runs({a_run(1), a_run(2)}).size() == 2);
  CHECK(counted_runs({a_run(1, Outcome::over_budget)}).empty());
}

TEST_CASE("Budget.ADayIsThatOfItsTimeZone") {
  auto const at = *parse_instant("2026-11-21T23:30:00Z");
  auto const& zones = andon::os::time_zones();
  CHECK(to_text(day_of(&zones, "", at)) == "2026-11-21");
  CHECK(to_text(day_of(&zones, "Europe/Berlin", at)) == "2026-11-22");
  CHECK(to_text(day_of(nullptr, "Europe/Berlin", at)) == "2026-11-21");
}
