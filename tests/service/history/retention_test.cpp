#include "service/history/retention.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/insight/search.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::person;
using test::TestApp;

namespace {

service::Trimmed trim(TestApp& app, service::TrimRequest const& request = {}) {
  return app.call<&service::trim_store>(request);
}

service::Trimmed trim_all(TestApp& app) {
  auto out = trim(app);
  while (out.more) {
    auto const next = trim(app);
    out.events += next.events;
    out.more = next.more;
    out.feed_begin = next.feed_begin;
  }
  return out;
}

service::Events page(TestApp& app, service::EventsRequest const& request) {
  return app.call<&service::list_events>(request);
}

}  // namespace

TEST_CASE("Retention.TheFeedBeginsAWeekAgoAndTheHistoryOfATaskStays") {
  TestApp app;
  auto const task = app.create("Old");
  app.clock.advance(8 * 24h);
  app.create("New");
  auto const trimmed = trim_all(app);
  CHECK(trimmed.events == 0);
  CHECK(trimmed.feed_begin >= 2);
  auto const history = page(app, {.since = "0"});
  CHECK_FALSE(history.reset);
  CHECK(history.items.front().seq == 1);
  auto const of_task = page(app, {.since = "0", .task = std::to_string(task.id)});
  CHECK(of_task.items.size() == 1);
}

TEST_CASE("Retention.TheFeedHoldsSoManyEventsAtMost") {
  TestApp app;
  app.call<&service::change_retention>({.feed_events = 1000});
  for (int i = 0; i < 1'200; ++i) app.create("Task");
  auto const trimmed = trim_all(app);
  CHECK(app.last_seq() - trimmed.feed_begin == 1'000);
}

TEST_CASE("Retention.EventsGoWhenTheHistoryIsOverAndNotesStay") {
  TestApp app;
  auto const task = app.create("Old");
  app.call<&service::note_task>({.id = task.id, .text = "Mind the gap"});
  app.clock.advance(401 * 24h);
  app.create("New");
  auto const last = app.last_seq();
  CHECK(trim_all(app).events >= 2);
  CHECK(app.last_seq() == last);
  std::vector<std::string> const left{"task.noted", "task.created"};
  CHECK(app.kinds(0) == left);
  auto const first = page(app, {.since = "0"});
  CHECK(first.reset == service::EventGap::trimmed);
  CHECK(first.items.size() == 2);
  CHECK_FALSE(page(app, {.since = std::to_string(last)}).reset);
  CHECK(app.answer<&service::search_tasks>({.q = "gap"}).find("Mind the") != std::string::npos);
}

TEST_CASE("Retention.TheLastEventStaysSoThatNoNumberIsGivenTwice") {
  TestApp app;
  app.create("Only");
  auto const last = app.last_seq();
  app.clock.advance(500 * 24h);
  trim_all(app);
  CHECK(app.last_seq() == last);
}

TEST_CASE("Retention.ASliceIsBounded") {
  TestApp app;
  for (int i = 0; i < 1'600; ++i) app.create("Task");
  app.clock.advance(500 * 24h);
  auto const slice = trim(app);
  CHECK(slice.more);
  CHECK(slice.events <= 500);
}

TEST_CASE("Retention.ARehearsalShowsWhatGoesAndRemovesNothing") {
  TestApp app;
  app.create("Old");
  app.clock.advance(500 * 24h);
  app.create("New");
  auto const before = app.digest();
  auto const shown = trim(app, {.dry_run = true, .show = true});
  CHECK(shown.events == 2);
  CHECK(shown.items.size() == 2);
  CHECK(app.digest() == before);
  CHECK(trim(app, {.until = 1}).events == 1);
}

TEST_CASE("Retention.EndedCredentialsAndAnswersGoAfterADay") {
  TestApp app;
  app.add_worker("bot");
  app.create("Task", {.status = "todo", .assignee = "bot"});
  auto const run = app.start("bot");
  app.finish(run);
  auto const tokens = [&] {
    std::size_t n = 0;
    app.executor.read([&](service::OperationContext& u) { n = u.tx.tokens().size(); });
    return n;
  };
  REQUIRE(tokens() == 1);
  app.clock.advance(23h);
  trim_all(app);
  CHECK(tokens() == 1);
  app.clock.advance(2h);
  trim_all(app);
  CHECK(tokens() == 0);
}

TEST_CASE("Retention.TheLastRunOfATaskStaysAndNoNumberIsGivenAgain") {
  TestApp app;
  app.add_worker("bot");
  app.create("Task", {.status = "todo", .assignee = "bot"});
  auto const first = app.start("bot");
  app.finish(first, {.stopped_because = core::StopReason::lost});
  app.clock.advance(1h);
  auto const second = app.start("bot");
  app.finish(second);
  app.clock.advance(401 * 24h);
  trim_all(app);
  app.executor.read([&](service::OperationContext& u) {
    CHECK_FALSE(u.tx.run(first.id));
    CHECK(u.tx.run(second.id));
  });
}

TEST_CASE("Retention.IsSetWithinBounds") {
  TestApp app;
  CHECK(app.refusal<&service::change_retention>({.history = std::chrono::days{1}}) == "INVALID_INPUT");
  app.call<&service::change_retention>({.history = std::chrono::days{30}});
  CHECK(app.answer<&service::show_retention>().find("720h") != std::string::npos);
}

TEST_CASE("Events.ACursorOfOtherDataIsTold") {
  TestApp app;
  app.create("Task");
  CHECK(page(app, {.since = "ffffff.1"}).reset == service::EventGap::epoch);
  CHECK(page(app, {.since = "999"}).reset == service::EventGap::future);
  auto const own = app.store->incarnation() + ".1";
  CHECK_FALSE(page(app, {.since = own}).reset);
}
