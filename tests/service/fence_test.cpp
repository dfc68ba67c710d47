#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::agent;
using test::TestApp;

namespace {

/// A request that is good enough to get as far as the operation.
core::Result<api::Answer> ask_blank(TestApp& app, api::Operation const& operation,
                                    service::Caller const& caller) {
  api::Call call;
  call.operation = &operation;
  call.request = operation.make();
  call.caller = caller;
  return app.executor.run(std::move(call));
}

bool is_open_to_runs(api::Operation const& operation) {
  return operation.effect != api::Effect::read && operation.access == api::Access::run;
}

struct Zombie {
  TestApp app;
  core::Run run;
  service::Caller caller;

  Zombie() {
    app.add_worker("bot");
    app.create("Task", {.status = "todo", .assignee = "bot"});
    run = app.start("bot");
    caller = agent(run);
  }
  void check_every_write_is_stale() {
    auto const before = app.digest();
    int asked = 0;
    for (auto const& operation : api::operations()) {
      if (!is_open_to_runs(operation)) continue;
      CAPTURE(operation.name);
      auto const answer = ask_blank(app, operation, caller);
      REQUIRE_FALSE(answer);
      CHECK(core::row(answer.error().code).name == "STALE_CLAIM");
      CHECK(core::row(answer.error().code).http == 409);
      ++asked;
    }
    CHECK(asked > 20);
    CHECK(app.digest() == before);
  }
};

}  // namespace

TEST_CASE("Fence.EveryWriteWithAnOldEpochIsStale") {
  Zombie zombie;
  zombie.app.call<&service::kill_task>({.id = zombie.run.task});
  zombie.app.finish(zombie.run, {.stopped_because = core::StopReason::killed});
  zombie.check_every_write_is_stale();
}

TEST_CASE("Fence.EveryWriteButARenewalIsStaleWhenTheLeaseIsOver") {
  Zombie zombie;
  zombie.app.clock.advance(61s);
  for (auto const& operation : api::operations()) {
    if (!is_open_to_runs(operation) || operation.fence == api::Fence::renewal) continue;
    CAPTURE(operation.name);
    auto const answer = ask_blank(zombie.app, operation, zombie.caller);
    REQUIRE_FALSE(answer);
    CHECK(core::row(answer.error().code).name == "STALE_CLAIM");
  }
  zombie.app.call<&service::heartbeat>({.id = zombie.run.task, .epoch = zombie.run.epoch}, zombie.caller);
  zombie.app.call<&service::create_task>({.title = "Found another bug"}, zombie.caller);
}

TEST_CASE("Fence.AFutureEpochIsStaleAsWell") {
  Zombie zombie;
  auto& epoch = zombie.caller.run->epoch;
  epoch = core::next(epoch);
  zombie.check_every_write_is_stale();
}

TEST_CASE("Fence.HoldsForOtherTasksAndNewOnes") {
  Zombie zombie;
  auto const other = zombie.app.create("Other");
  zombie.app.clock.advance(61s);
  CHECK(zombie.app.refusal<&service::create_task>({.title = "New"}, zombie.caller) == "STALE_CLAIM");
  CHECK(zombie.app.refusal<&service::note_task>({.id = other.id, .text = "hm"}, zombie.caller) ==
        "STALE_CLAIM");
}

TEST_CASE("Fence.ReadsPass") {
  Zombie zombie;
  zombie.app.clock.advance(61s);
  zombie.app.call<&service::get_task>({.id = zombie.run.task}, zombie.caller);
}

TEST_CASE("Fence.TheSupervisingProcessTellsTheEndWhateverBecameOfTheClaim") {
  Zombie zombie;
  zombie.app.clock.advance(61s);
  zombie.caller.run->process = zombie.run.process;
  zombie.app.call<&service::finish_run>({.id = zombie.run.id, .result = "done", .exit = {.code = 0}},
                                        zombie.caller);
}

TEST_CASE("Fence.OnlyTheProcessThatSupervisesTheRunPassesIt") {
  Zombie zombie;
  zombie.app.clock.advance(61s);
  zombie.caller.run->process = zombie.run.process + "1";
  CHECK(zombie.app.refusal<&service::finish_run>({.id = zombie.run.id}, zombie.caller) == "STALE_CLAIM");
  CHECK(zombie.app.refusal<&service::report_usage>({.id = zombie.run.id}, zombie.caller) == "STALE_CLAIM");
}
