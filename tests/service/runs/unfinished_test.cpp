#include <algorithm>

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_brief.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Outcome;
using core::Stage;
using test::agent;
using test::TestApp;

namespace {

service::FinishRunRequest const kOpen{.has_result = true,
                                      .result = "The tests run in the background.",
                                      .exit = {.code = 0},
                                      .session = "s-1",
                                      .unfinished = "its program ended before 1 task in the background: b1"};
service::FinishRunRequest const kClosed{
    .has_result = true, .result = "All tests pass.", .exit = {.code = 0}, .session = "s-1"};

/// Two workers, the first of which works on one task.
struct Open {
  explicit Open(core::Conversation conversation = core::Conversation::fresh) {
    app.add_worker("dev", {.conversation = conversation, .takes_unassigned = true});
    app.create("Task", {.status = "todo"});
    run = app.start("dev");
  }
  service::RunBrief brief(std::string worker = "dev") {
    std::optional<service::RunBrief> out;
    app.executor.read([&](service::OperationContext& u) {
      out = *service::prompt_of(u, {service::TaskRef{"1"}, std::move(worker)});
    });
    return *out;
  }
  TestApp app;
  core::Run run;
};

}  // namespace

TEST_CASE("Unfinished.TheRunGoesOnOnceByItsSessionAndThenFails") {
  for (auto const conversation :
       {core::Conversation::fresh, core::Conversation::task, core::Conversation::worker}) {
    Open at{conversation};
    auto first = at.app.finish(at.run, kOpen);
    CHECK(first.outcome == Outcome::failed);
    CHECK(first.reason == kOpen.unfinished);
    CHECK(first.unfinished == 1);
    auto task = at.app.stored(1);
    CHECK(task.stage == Stage::ready);
    CHECK(task.attempt == 0);
    CHECK_FALSE(task.not_before);
    auto const told = at.brief();
    CHECK(told.unfinished == kOpen.unfinished);
    REQUIRE(told.earlier);
    CHECK(told.earlier->session == "s-1");
    CHECK(told.earlier->run == first.id);

    auto const second = at.app.finish(at.app.start("dev"), kOpen);
    CHECK(second.attempt == 1);
    CHECK(second.outcome == Outcome::failed);
    CHECK(second.unfinished == 2);
    task = at.app.stored(1);
    CHECK(task.attempt == 1);
    CHECK(task.not_before > at.app.clock.now());
    CHECK(task.state.last_failure == kOpen.unfinished);
    CHECK(at.brief().unfinished.empty());
    CHECK_FALSE(at.brief().earlier);
  }
}

TEST_CASE("Unfinished.TheRunThatGoesOnMaySucceed") {
  Open at;
  at.app.finish(at.run, kOpen);
  auto const run = at.app.finish(at.app.start("dev"), kClosed);
  CHECK(run.outcome == Outcome::succeeded);
  CHECK(run.unfinished == 0);
  CHECK(at.app.stored(1).stage == Stage::done);
  CHECK(at.app.stored(1).attempt == 1);
}

TEST_CASE("Unfinished.AReportOfDoneIsNoMoreThanItsWords") {
  Open at;
  at.app.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(at.run));
  CHECK(at.app.finish(at.run, kOpen).unfinished == 1);
  auto const task = at.app.stored(1);
  CHECK(task.stage == Stage::ready);
  CHECK(task.attempt == 0);
  CHECK(task.flag.empty());
  CHECK(task.state.report == core::ReportState::none);
}

TEST_CASE("Unfinished.ManyInARowGoOnOnlyOnce") {
  Open at;
  auto run = at.app.finish(at.run, kOpen);
  int runs = 1;
  while (at.app.stored(1).stage == Stage::ready && !at.app.stored(1).blocked && runs < 10) {
    at.app.clock.advance(2h);
    run = at.app.finish(at.app.start("dev"), kOpen);
    ++runs;
    CHECK(run.unfinished == runs);
  }
  CHECK(at.app.stored(1).blocked);
  CHECK(runs == 3);  // the same failure twice in a row parks it
}

TEST_CASE("Unfinished.ALimitInBetweenTakesNoTurn") {
  Open at;
  at.app.finish(at.run, kOpen);
  auto limited = kClosed;
  limited.stopped_because = core::StopReason::rate_limited;
  at.app.finish(at.app.start("dev"), limited);
  CHECK(at.brief().unfinished == kOpen.unfinished);
  CHECK(at.brief().earlier);
  at.app.clock.advance(1h);
  CHECK(at.app.finish(at.app.start("dev"), kOpen).unfinished == 2);
}

TEST_CASE("Unfinished.ItsWorkerHasTheFirstMinute") {
  Open at;
  at.app.add_worker("qa", {.takes_unassigned = true});
  at.app.finish(at.run, kOpen);
  auto const next = [&](std::string worker) {
    return at.app.ask<&service::dispatch_next>({.worker = std::move(worker)}).has_value();
  };
  CHECK_FALSE(next("qa"));
  SUBCASE("then anybody goes on, without the session") {
    at.app.clock.advance(61s);
    CHECK(next("qa"));
    CHECK(at.brief("qa").unfinished == kOpen.unfinished);
    CHECK_FALSE(at.brief("qa").earlier);
  }
  SUBCASE("a paused one has none") {
    at.app.call<&service::pause_worker>({.name = "dev"});
    CHECK(next("qa"));
  }
  SUBCASE("it goes on") { CHECK(next("dev")); }
}

TEST_CASE("Unfinished.EndsAreNoCrashes") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  for (int i = 0; i < 4; ++i) app.create("Task " + std::to_string(i), {.status = "todo"});
  for (int i = 0; i < 4; ++i) {
    auto const run = app.start("dev");
    auto ending = kOpen;
    ending.session = "s-" + std::to_string(i);
    app.finish(run, ending);
    app.finish(app.start("dev"), kClosed);
  }
  CHECK_FALSE(app.call<&service::get_worker>({.name = "dev"}).paused);
}
