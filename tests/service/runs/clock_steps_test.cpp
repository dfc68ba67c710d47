#include <doctest/doctest.h>

#include "service/runs/sweep.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::agent;
using test::person;
using test::TestApp;

namespace {

core::Run a_live_run(TestApp& app) {
  app.add_worker("bot");
  app.create("Task", {.status = "todo", .assignee = "bot"});
  return app.start("bot");
}

service::HeartbeatRequest heartbeat_of(core::Run const& run) { return {.id = run.task, .epoch = run.epoch}; }
service::HeartbeatRequest heartbeat_of(core::Task const& task) {
  return {.id = task.id, .epoch = task.epoch};
}

core::Duration left(TestApp& app, core::TaskId task) {
  return *app.stored(task).claim_expires - app.clock.now();
}

}  // namespace

TEST_CASE("ClockSteps.ALeaseLastsAsLongAsItWouldHave") {
  for (auto const step : {61s, 3600s, -61s, -3600s, 86400s * 365, 6s, -6s}) {
    CAPTURE(step.count());
    TestApp app;
    auto const run = a_live_run(app);
    app.call<&service::heartbeat>(heartbeat_of(run), agent(run));
    app.clock.advance(20s);
    app.clock.set_by(step);
    app.call<&service::note_task>({.id = run.task, .text = "still here"}, agent(run));
    CHECK(left(app, run.task) == 40s);
    app.clock.advance(39s);
    app.call<&service::note_task>({.id = run.task, .text = "still here"}, agent(run));
    app.clock.advance(2s);
    CHECK(app.refusal<&service::note_task>({.id = run.task, .text = "late"}, agent(run)) == "STALE_CLAIM");
  }
}

TEST_CASE("ClockSteps.ReadsDoNotSeeAStepBeforeLeasesFollowIt") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.set_by(2h);
  CHECK(app.get(task.id).claimed_by == "bob");
  app.clock.set_by(-4h);
  CHECK(app.get(task.id).claimed_by == "bob");
}

TEST_CASE("ClockSteps.ADeadHolderIsNotKeptByAClockSetBack") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.advance(1h + 1s);
  CHECK(app.get(task.id).claimed_by.empty());
  app.clock.set_by(-1h);
  CHECK(app.get(task.id).claimed_by.empty());
  CHECK(app.call<&service::pick_task>({.by = "eve"}).id == task.id);
}

TEST_CASE("ClockSteps.ADeadHolderIsGoneWhenItsLeaseIsThoughTheClockStandsStill") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  for (int i = 0; i < 62; ++i) {
    app.clock.advance(1min);
    app.clock.set_by(-1min);
    app.create("Other");
  }
  CHECK(app.get(task.id).claimed_by.empty());
}

TEST_CASE("ClockSteps.NobodyIsTakenOverEarlyByASlowClock") {
  TestApp app;
  auto const run = a_live_run(app);
  for (int i = 0; i < 40; ++i) {
    app.clock.advance(15s);
    app.clock.set_by(-7s);
    CHECK(app.ask<&service::heartbeat>(heartbeat_of(run), agent(run)));
    CHECK(app.answer<&service::sweep>() == R"({"recovered":0})");
  }
}

TEST_CASE("ClockSteps.ABackOffIsATimerAndAnOwnTimeIsNot") {
  TestApp app("queue");
  auto const run = [&] {
    app.add_worker("bot");
    app.create("Task", {.status = "ready", .assignee = "bot"});
    return app.start("bot");
  }();
  auto const failed = app.finish(run, {.stopped_because = core::StopReason::fatal, .exit = {.code = 1}});
  auto const wait = *app.get(failed.task).not_before - app.clock.now();
  REQUIRE(wait > 20s);
  auto const own = app.create("Own", {.not_before = core::parse_instant("2030-01-01T00:00:00Z")});
  app.clock.set_by(-1h);
  app.create("Next");
  CHECK(*app.get(failed.task).not_before - app.clock.now() == wait);
  CHECK(app.get(own.id).not_before == own.not_before);
}

TEST_CASE("ClockSteps.EveryClaimGetsALeaseOfGraceWhenTheMachineWakes") {
  TestApp app;
  auto const run = a_live_run(app);
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  auto const over = app.create("Task", {.status = "todo", .claim = "eve"});
  app.clock.advance(55s);
  app.call<&service::heartbeat>(heartbeat_of(run), agent(run));
  app.call<&service::release_task>({.id = over.id}, person("eve"));
  app.clock.sleep(8h);
  app.call<&service::note_task>({.id = run.task, .text = "awake"}, agent(run));
  CHECK(left(app, run.task) == 60s);
  CHECK(left(app, task.id) == 1h);
}

TEST_CASE("ClockSteps.EveryClaimGetsALeaseOfGraceWhenTheServerComesBack") {
  TestApp app;
  auto const run = a_live_run(app);
  auto const old = app.create("Task", {.status = "todo", .claim = "eve"});
  app.clock.advance(61min);
  app.call<&service::heartbeat>(heartbeat_of(run), agent(run));
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.restart(3h);
  api::LocalExecutor server{*app.store, app.clock};
  server.begin_serving();
  CHECK(left(app, run.task) == 60s);
  CHECK(left(app, task.id) == 1h);
  CHECK(app.get(old.id).claimed_by.empty());
}

TEST_CASE("ClockSteps.AClockThatIsWrongAfterARestartMakesNoClaimImmortal") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.restart(-24h * 365 * 40);
  api::LocalExecutor server{*app.store, app.clock};
  server.begin_serving();
  CHECK(left(app, task.id) <= 1h);
  app.clock.set_by(24h * 365 * 40);
  server.write([](service::OperationContext&) { return true; });
  CHECK(left(app, task.id) <= 1h);
}

TEST_CASE("ClockSteps.ProcessesThatFollowOneAnotherMoveALeaseOnce") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.set_by(2h);
  for (int i = 0; i < 3; ++i) {
    api::LocalExecutor command{*app.store, app.clock};
    command.write([](service::OperationContext&) { return true; });
    CHECK(left(app, task.id) == 1h);
  }
}

TEST_CASE("ClockSteps.ARefusedWriteLeavesNothingBehind") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.set_by(2h);
  CHECK(app.ask<&service::edit_task>({.id = task.id, .title = "x"}, person("eve")).error().code ==
        core::Code::kTaskClaimed);
  CHECK(left(app, task.id) == 1h);
}

TEST_CASE("Heartbeat.RenewsALeaseThatIsOverAsLongAsNobodyTookTheTask") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.advance(2h);
  app.call<&service::heartbeat>(heartbeat_of(task), person("bob"));
  CHECK(app.get(task.id).claimed_by == "bob");
  CHECK(left(app, task.id) == 1h);
  app.clock.advance(2h);
  app.call<&service::claim_task>({.id = task.id, .by = "eve"});
  CHECK(app.refusal<&service::heartbeat>(heartbeat_of(task), person("bob")) == "STALE_CLAIM");
}

TEST_CASE("Heartbeat.ComesTooLateWhenItsWorkerTookOtherWork") {
  TestApp app;
  app.add_worker("bot");
  auto const task = app.create("Task", {.status = "todo", .claim = "bot"});
  app.clock.advance(2h);
  app.create("Other", {.status = "todo", .claim = "bot"});
  CHECK(app.refusal<&service::heartbeat>(heartbeat_of(task), person("bot")) == "WORKER_BUSY");
}

TEST_CASE("Heartbeat.ComesTooLateWhenOthersTouchItsFiles") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .touches = {"src/**"}, .claim = "bob"});
  app.clock.advance(2h);
  app.create("Other", {.status = "todo", .touches = {"src/a"}, .claim = "eve"});
  CHECK(app.refusal<&service::heartbeat>(heartbeat_of(task), person("bob")) == "STALE_CLAIM");
}
