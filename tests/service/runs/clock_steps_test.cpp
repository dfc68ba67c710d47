#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::agent;
using test::House;
using test::on;
using test::person;

namespace {

core::Run a_live_run(House& house) {
  house.add_worker("bot");
  house.create("Task", R"("status":"todo","assignee":"bot")");
  return house.start("bot");
}

std::string beat(core::Run const& run) { return on(run.task, "\"epoch\":" + std::to_string(run.epoch)); }

core::Duration left(House& house, core::TaskId task) {
  return *house.stored(task).claim_expires - house.clock.now();
}

}  // namespace

TEST_CASE("ClockSteps.ALeaseLastsAsLongAsItWouldHave") {
  for (auto const step : {61s, 3600s, -61s, -3600s, 86400s * 365, 6s, -6s}) {
    CAPTURE(step.count());
    House house;
    auto const run = a_live_run(house);
    house.answer("heartbeat", beat(run), agent(run));
    house.clock.advance(20s);
    house.clock.set_by(step);
    house.answer("add_note", on(run.task, R"("text":"still here")"), agent(run));
    CHECK(left(house, run.task) == 40s);
    house.clock.advance(39s);
    house.answer("add_note", on(run.task, R"("text":"still here")"), agent(run));
    house.clock.advance(2s);
    CHECK(house.refusal("add_note", on(run.task, R"("text":"late")"), agent(run)) == "STALE_CLAIM");
  }
}

TEST_CASE("ClockSteps.ReadsDoNotSeeAStepBeforeLeasesFollowIt") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.set_by(2h);
  CHECK(house.get(task.id).claimed_by == "bob");
  house.clock.set_by(-4h);
  CHECK(house.get(task.id).claimed_by == "bob");
}

TEST_CASE("ClockSteps.ADeadHolderIsNotKeptByAClockSetBack") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.advance(1h + 1s);
  CHECK(house.get(task.id).claimed_by.empty());
  house.clock.set_by(-1h);
  CHECK(house.get(task.id).claimed_by.empty());
  CHECK(house.task("pick_task", R"({"by":"eve"})").id == task.id);
}

TEST_CASE("ClockSteps.ADeadHolderIsGoneWhenItsLeaseIsThoughTheClockStandsStill") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  for (int i = 0; i < 62; ++i) {
    house.clock.advance(1min);
    house.clock.set_by(-1min);
    house.create("Other");
  }
  CHECK(house.get(task.id).claimed_by.empty());
}

TEST_CASE("ClockSteps.NobodyIsTakenOverEarlyByASlowClock") {
  House house;
  auto const run = a_live_run(house);
  for (int i = 0; i < 40; ++i) {
    house.clock.advance(15s);
    house.clock.set_by(-7s);
    CHECK(house.ask("heartbeat", beat(run), agent(run)));
    CHECK(house.answer("sweep", "{}") == R"({"recovered":0})");
  }
}

TEST_CASE("ClockSteps.ABackOffIsATimerAndAnOwnTimeIsNot") {
  House house("queue");
  auto const run = [&] {
    house.add_worker("bot");
    house.create("Task", R"("status":"ready","assignee":"bot")");
    return house.start("bot");
  }();
  auto const failed = house.finish(run, R"("exit":{"code":1},"stopped_because":"fatal")");
  auto const wait = *house.get(failed.task).not_before - house.clock.now();
  REQUIRE(wait > 20s);
  auto const own = house.create("Own", R"("not_before":"2030-01-01T00:00:00Z")");
  house.clock.set_by(-1h);
  house.create("Next");
  CHECK(*house.get(failed.task).not_before - house.clock.now() == wait);
  CHECK(house.get(own.id).not_before == own.not_before);
}

TEST_CASE("ClockSteps.EveryClaimGetsALeaseOfGraceWhenTheMachineWakes") {
  House house;
  auto const run = a_live_run(house);
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  auto const over = house.create("Task", R"("status":"todo","claim":"eve")");
  house.clock.advance(55s);
  house.answer("heartbeat", beat(run), agent(run));
  house.task("release_task", on(over.id), person("eve"));
  house.clock.sleep(8h);
  house.answer("add_note", on(run.task, R"("text":"awake")"), agent(run));
  CHECK(left(house, run.task) == 60s);
  CHECK(left(house, task.id) == 1h);
}

TEST_CASE("ClockSteps.EveryClaimGetsALeaseOfGraceWhenTheServerComesBack") {
  House house;
  auto const run = a_live_run(house);
  auto const old = house.create("Task", R"("status":"todo","claim":"eve")");
  house.clock.advance(61min);
  house.answer("heartbeat", beat(run), agent(run));
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.restart(3h);
  api::LocalExecutor server{*house.store, house.clock};
  server.begin_serving();
  CHECK(left(house, run.task) == 60s);
  CHECK(left(house, task.id) == 1h);
  CHECK(house.get(old.id).claimed_by.empty());
}

TEST_CASE("ClockSteps.AClockThatIsWrongAfterARestartMakesNoClaimImmortal") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.restart(-24h * 365 * 40);
  api::LocalExecutor server{*house.store, house.clock};
  server.begin_serving();
  CHECK(left(house, task.id) <= 1h);
  house.clock.set_by(24h * 365 * 40);
  server.write([](service::Unit&) { return true; });
  CHECK(left(house, task.id) <= 1h);
}

TEST_CASE("ClockSteps.ProcessesThatFollowOneAnotherMoveALeaseOnce") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.set_by(2h);
  for (int i = 0; i < 3; ++i) {
    api::LocalExecutor command{*house.store, house.clock};
    command.write([](service::Unit&) { return true; });
    CHECK(left(house, task.id) == 1h);
  }
}

TEST_CASE("ClockSteps.ARefusedWriteLeavesNothingBehind") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.set_by(2h);
  CHECK(house.ask("update_task", on(task.id, R"("title":"x")"), person("eve")).error().code ==
        core::Code::kTaskClaimed);
  CHECK(left(house, task.id) == 1h);
}

TEST_CASE("Heartbeat.RenewsALeaseThatIsOverAsLongAsNobodyTookTheTask") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  auto const epoch = R"("epoch":)" + std::to_string(task.epoch);
  house.clock.advance(2h);
  house.answer("heartbeat", on(task.id, epoch), person("bob"));
  CHECK(house.get(task.id).claimed_by == "bob");
  CHECK(left(house, task.id) == 1h);
  house.clock.advance(2h);
  house.task("claim_task", on(task.id, R"("by":"eve")"));
  CHECK(house.refusal("heartbeat", on(task.id, epoch), person("bob")) == "STALE_CLAIM");
}

TEST_CASE("Heartbeat.ComesTooLateWhenItsWorkerTookOtherWork") {
  House house;
  house.add_worker("bot");
  auto const task = house.create("Task", R"("status":"todo","claim":"bot")");
  auto const epoch = R"("epoch":)" + std::to_string(task.epoch);
  house.clock.advance(2h);
  house.create("Other", R"("status":"todo","claim":"bot")");
  CHECK(house.refusal("heartbeat", on(task.id, epoch), person("bot")) == "WORKER_BUSY");
}

TEST_CASE("Heartbeat.ComesTooLateWhenOthersTouchItsFiles") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob","touches":["src/**"])");
  auto const epoch = R"("epoch":)" + std::to_string(task.epoch);
  house.clock.advance(2h);
  house.create("Other", R"("status":"todo","claim":"eve","touches":["src/a"])");
  CHECK(house.refusal("heartbeat", on(task.id, epoch), person("bob")) == "STALE_CLAIM");
}
