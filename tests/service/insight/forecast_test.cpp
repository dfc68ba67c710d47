#include "service/insight/forecast.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::TestApp;

namespace {

service::Forecast forecast(TestApp& app, service::ForecastRequest const& request = {}) {
  return app.call<&service::forecast>(request);
}

/// Two finished tasks on each of so many days, the last being yesterday.
void work(TestApp& app, int days) {
  for (int day = 0; day < days; ++day) {
    for (int n = 0; n < 2; ++n) app.move(app.create("Done").id, "done");
    app.clock.advance(24h);
  }
}

}  // namespace

TEST_CASE("Forecast.SaysWhenEverythingWillBeDone") {
  TestApp app;
  work(app, 10);
  for (int n = 0; n < 5; ++n) app.create("Open");
  auto const found = forecast(app);
  CHECK(found.reliable);
  CHECK(found.warning.empty());
  CHECK(found.history_days == 10);
  CHECK(found.history_tasks == 20);
  CHECK(found.seed == 1);
  REQUIRE(found.when);
  CHECK_FALSE(found.how_many);
  CHECK(found.when->tasks == 5);
  REQUIRE(found.when->likely.size() == 3);
  CHECK(found.when->likely[1].confidence == 85);
  CHECK(found.when->likely[1].days == 3);
  CHECK(core::to_text(*found.when->likely[1].date) == "2027-01-28");
}

TEST_CASE("Forecast.SaysHowManyByADay") {
  TestApp app;
  work(app, 10);
  auto const found = forecast(app, {.by = core::parse_date("2027-01-30")});
  CHECK_FALSE(found.when);
  REQUIRE(found.how_many);
  CHECK(found.how_many->likely[2].confidence == 95);
  CHECK(found.how_many->likely[2].tasks == 10);
  CHECK(app.refusal<&service::forecast>({.by = core::parse_date("2027-01-01")}) == "INVALID_INPUT");
}

TEST_CASE("Forecast.OfNamedTasksIncludesWhatTheyWaitFor") {
  TestApp app;
  work(app, 8);
  auto const base = app.create("Base").id;
  auto const top = app.create("Top", {.depends_on = {1, base}}).id;
  app.create("Other");
  CHECK(forecast(app, {.ids = {top}}).when->tasks == 2);
  CHECK(forecast(app, {.tasks = 9}).when->tasks == 9);
  CHECK(app.refusal<&service::forecast>({.tasks = 9, .ids = {1}}) == "STATUS_CONFLICT");
  CHECK(app.refusal<&service::forecast>({.ids = {999}}) == "TASK_NOT_FOUND");
  CHECK(app.refusal<&service::forecast>({.tasks = 0}) == "INVALID_INPUT");
}

TEST_CASE("Forecast.SaysPlainlyThatTheHistoryIsTooShort") {
  TestApp app;
  app.create("Open");
  auto const nothing = forecast(app);
  CHECK_FALSE(nothing.reliable);
  CHECK_FALSE(nothing.when);
  CHECK(nothing.warning.starts_with("No forecast: the history has 0 finished tasks"));
  work(app, 2);
  auto const little = forecast(app);
  CHECK_FALSE(little.reliable);
  CHECK(little.when);
  CHECK(little.warning ==
        "The history is too short for a reliable forecast: 4 finished tasks on 2 whole days before today; it "
        "takes 5 tasks on 7 days.");
}

TEST_CASE("Forecast.OfTheFirstDayDrawsFromIt") {
  TestApp app;
  for (int n = 0; n < 2; ++n) app.move(app.create("Done", {.status = "todo"}).id, "done");
  for (int n = 0; n < 4; ++n) app.create("Open");
  auto const first = forecast(app);
  CHECK_FALSE(first.reliable);
  CHECK(first.warning ==
        "The history is too short for a reliable forecast: 2 finished tasks today; it takes 5 tasks on 7 "
        "days.");
  REQUIRE(first.when);
  CHECK(first.when->likely[0].days == 2);
  CHECK(first.when->likely[2].days == 2);
}
