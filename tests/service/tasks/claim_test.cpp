#include "service/tasks/claim.hpp"

#include <thread>

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::AnyCall;
using test::call_of;
using test::person;
using test::TestApp;

TEST_CASE("Claim.IsOverWhenItsLeaseEndsWithoutAnySweep") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  auto const held = app.call<&service::claim_task>({.id = task.id, .by = "bob"});
  CHECK(app.refusal<&service::edit_task>({.id = task.id, .title = "x"}) == "TASK_CLAIMED");
  app.clock.advance(59min);
  CHECK(app.refusal<&service::claim_task>({.id = task.id, .by = "eve"}) == "TASK_CLAIMED");
  app.clock.advance(1min);
  CHECK(app.refusal<&service::edit_task>({.id = task.id, .title = "x", .epoch = held.epoch}) ==
        "STALE_CLAIM");
  auto const taken = app.call<&service::claim_task>({.id = task.id, .by = "eve"});
  CHECK(taken.claimed_by == "eve");
  CHECK(taken.epoch > held.epoch);
}

TEST_CASE("Claim.AgainByItsHolderRenewsAndKeepsTheEpoch") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.advance(30min);
  auto const again = app.call<&service::claim_task>({.id = task.id, .by = "bob"});
  CHECK(again.epoch == task.epoch);
  CHECK(again.attempt == task.attempt);
  CHECK(*again.claim_expires == app.clock.now() + 1h);
}

TEST_CASE("Claim.EveryWriteOfTheHolderRenewsIt") {
  TestApp app("flow");
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  for (service::EditTaskRequest const& request :
       {service::EditTaskRequest{.id = task.id, .title = "Other", .claim = "bob"},
        {.id = task.id, .tags = std::vector<std::string>{"a"}, .epoch = 1}}) {
    app.clock.advance(10min);
    CHECK(*app.call<&service::edit_task>(request).claim_expires == app.clock.now() + 1h);
  }
  app.clock.advance(10min);
  auto const moved = app.call<&service::move_task>({.id = task.id, .status = "in-progress", .claim = "bob"});
  CHECK(*moved.claim_expires == app.clock.now() + 1h);
  app.clock.advance(10min);
  app.call<&service::note_task>({.id = task.id, .text = "still here"}, person("bob"));
  CHECK(*app.get(task.id).claim_expires == app.clock.now() + 1h);
}

TEST_CASE("Claim.WritesOfOthersDoNotRenewIt") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.advance(10min);
  app.call<&service::edit_task>({.id = task.id, .title = "Other", .force = true});
  CHECK(app.get(task.id).claim_expires == task.claim_expires);
}

TEST_CASE("Claim.ABeatOfTheHolderExtendsIt") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.advance(50min);
  app.call<&service::heartbeat>({.id = task.id, .epoch = task.epoch}, person("bob"));
  CHECK(*app.get(task.id).claim_expires == app.clock.now() + 1h);
}

TEST_CASE("Claim.ABeatThatComesSoonCountsAsWell") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.advance(1min);
  app.call<&service::heartbeat>({.id = task.id, .epoch = task.epoch}, person("bob"));
  CHECK(*app.get(task.id).claim_expires == app.clock.now() + 1h);
}

TEST_CASE("Claim.NeverExpiresWhereTheBoardSaysSo") {
  TestApp app;
  app.call<&service::edit_board>({{.claim_timeout = 0s}, "classic"});
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.clock.advance(24h * 365);
  CHECK(app.error<&service::delete_task>({.id = task.id}).message.find("never expires") != std::string::npos);
}

namespace {

std::vector<AnyCall> acts_of_a_holder(core::TaskId id, std::optional<core::Epoch> epoch) {
  return {call_of<&service::edit_task>({.id = id, .title = "x", .epoch = epoch}),
          call_of<&service::move_task>({.id = id, .status = "done", .epoch = epoch}),
          call_of<&service::submit_task>({.id = id, .result = "x", .epoch = epoch}),
          call_of<&service::complete_task>({.id = id, .result = "x", .epoch = epoch}),
          call_of<&service::fail_task>({.id = id, .reason = "x", .epoch = epoch}),
          call_of<&service::block_task>({.id = id, .reason = "x", .epoch = epoch}),
          call_of<&service::handoff_task>({.id = id, .note = "x", .epoch = epoch}),
          call_of<&service::archive_task>({.id = id, .epoch = epoch}),
          call_of<&service::delete_task>({.id = id, .epoch = epoch}),
          call_of<&service::start_task>({.id = id, .epoch = epoch}),
          call_of<&service::claim_task>({.id = id, .by = "eve", .epoch = epoch})};
}

}  // namespace

TEST_CASE("Claim.OldFutureAndMissingEpochsAreRefusedByEveryVerbOfAHolder") {
  TestApp app("flow");
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  for (auto const epoch : {core::Epoch{task.epoch - 1}, core::next(task.epoch)}) {
    for (auto const& act : acts_of_a_holder(task.id, epoch)) {
      CAPTURE(act.operation);
      CHECK(app.refusal(act) == "STALE_CLAIM");
    }
    CHECK(app.refusal<&service::heartbeat>({.id = task.id, .epoch = epoch}, person("bob")) == "STALE_CLAIM");
    CHECK(app.refusal<&service::release_task>({.id = task.id, .epoch = epoch}, person("bob")) ==
          "STALE_CLAIM");
  }
  for (auto const& act : acts_of_a_holder(task.id, {})) {
    CAPTURE(act.operation);
    CHECK(app.refusal(act, person("eve")) == "TASK_CLAIMED");
  }
  CHECK(app.refusal_of_json<&service::heartbeat>(R"({"id":1})", person("bob")) == "INVALID_INPUT");
}

TEST_CASE("Claim.EndsWithWhatFinishesOrHandsOverTheWork") {
  for (auto const& act : {call_of<&service::submit_task>({.id = 1, .claim = "bob"}),
                          call_of<&service::complete_task>({.id = 1, .claim = "bob"}),
                          call_of<&service::fail_task>({.id = 1, .reason = "x", .claim = "bob"}),
                          call_of<&service::block_task>({.id = 1, .reason = "x", .claim = "bob"}),
                          call_of<&service::archive_task>({.id = 1, .claim = "bob"}),
                          call_of<&service::release_task>({.id = 1, .claim = "bob"}),
                          call_of<&service::handoff_task>({.id = 1, .release = true, .claim = "bob"})}) {
    TestApp app("flow");
    CAPTURE(act.operation);
    auto const task = app.create("Task", {.status = "in-progress", .claim = "bob"});
    app.answer(act);
    auto const after = app.get(task.id);
    CHECK(after.claimed_by.empty());
    CHECK(after.epoch > task.epoch);
  }
}

TEST_CASE("Claim.OfATaskWithAnOpenDependencyIsRefused") {
  TestApp app;
  app.create("First", {.status = "todo"});
  auto const task = app.create("Second", {.status = "todo", .depends_on = {1}});
  CHECK(app.refusal<&service::claim_task>({.id = task.id, .by = "bob"}) == "DEPENDENCY_OPEN");
  CHECK(app.move(task.id, "in_progress").stage == core::Stage::active);
}

TEST_CASE("Claim.OfANewTaskIsRefusedToAWorkerOnlyWhileADependencyIsOpen") {
  TestApp app("flow");
  app.create("First");
  app.add_worker("robot");
  CHECK(app.create("Second", {.depends_on = {1}, .claim = "bob"}).claimed_by == "bob");
  auto const error =
      app.error<&service::create_task>({.title = "Third", .depends_on = {1}, .claim = "robot"});
  CHECK(error.code == core::Code::kDependencyOpen);
  CHECK(error.message == "the new task waits for #1");
}

TEST_CASE("Claim.OfANewTaskLivesInDoneButNotInTheArchive") {
  TestApp app("flow");
  CHECK(app.create("Done", {.status = "done", .claim = "bob"}).claimed_by == "bob");
  CHECK(app.create("Gone", {.status = "archived", .claim = "bob"}).claimed_by.empty());
}

TEST_CASE("Start.IsRefusedWhileADependencyIsOpen") {
  TestApp app("queue");
  auto const first = app.create("First");
  app.create("Second", {.status = "ready"});
  auto const picked = app.call<&service::pick_task>({.by = "bob"});
  app.call<&service::edit_task>({.id = picked.id, .add_deps = {first.id}, .claim = "bob"});
  CHECK(app.refusal<&service::start_task>({.id = picked.id, .claim = "bob"}) == "DEPENDENCY_OPEN");
}

TEST_CASE("Start.NeedsTheClaim") {
  TestApp app("queue");
  app.create("Task", {.status = "ready"});
  CHECK(app.refusal<&service::start_task>({.id = 1}) == "CLAIM_REQUIRED");
  app.call<&service::pick_task>({.by = "bob"});
  CHECK(app.call<&service::start_task>({.id = 1, .claim = "bob"}).stage == core::Stage::active);
}

TEST_CASE("Worker.HoldsOneTaskOverAllBoards") {
  TestApp app;
  app.call<&service::create_board>({{}, "other", "flow"});
  app.add_worker("dev");
  app.create("First", {.status = "todo", .assignee = "dev"});
  auto const second = app.create("Second", {.board = "other", .status = "todo", .assignee = "dev"});
  CHECK(app.move(1, "in_progress").claimed_by == "dev");
  auto const error = app.error<&service::claim_task>({.id = second.id, .by = "dev"});
  CHECK(error.code == core::Code::kWorkerBusy);
  CHECK(error.message == "Worker \"dev\" already has task #1 in progress");
  CHECK(app.refusal<&service::move_task>({.id = second.id, .status = "in-progress", .claim = "dev"}) ==
        "WORKER_BUSY");
  CHECK(app.refusal<&service::pick_task>({.worker = "dev"}) == "WORKER_BUSY");
  CHECK(app.refusal<&service::create_task>({.title = "x", .status = "todo", .claim = "dev"}) ==
        "WORKER_BUSY");
  app.call<&service::move_task>({.id = 1, .status = "done", .claim = "dev"});
  CHECK(app.call<&service::claim_task>({.id = second.id, .by = "dev"}).claimed_by == "dev");
}

TEST_CASE("Worker.AClaimInTheBacklogCountsWhenItsTaskComesOut") {
  TestApp app;
  app.add_worker("dev");
  auto const idea = app.create("Idea", {.claim = "dev"});
  auto const task = app.create("Task", {.status = "todo", .claim = "dev"});
  CHECK(app.refusal<&service::move_task>({.id = idea.id, .status = "todo", .claim = "dev"}) == "WORKER_BUSY");
  CHECK(app.refusal<&service::edit_task>({.id = idea.id, .status = "todo", .claim = "dev"}) == "WORKER_BUSY");
  CHECK(app.refusal<&service::approve_task>({.id = idea.id}) == "WORKER_BUSY");
  app.call<&service::release_task>({.id = task.id});
  CHECK(app.call<&service::approve_task>({.id = idea.id}).stage == core::Stage::ready);
}

TEST_CASE("Worker.CapacityIsWhatItSays") {
  TestApp app;
  app.add_worker("dev", {.capacity = 2, .takes_unassigned = true});
  for (int i = 0; i < 3; ++i) app.create("Task", {.status = "todo"});
  app.call<&service::pick_task>({.worker = "dev"});
  app.call<&service::pick_task>({.worker = "dev"});
  CHECK(app.refusal<&service::pick_task>({.worker = "dev"}) == "WORKER_BUSY");
}

TEST_CASE("Worker.SixtyFourRacersHaveOneWinner") {
  TestApp app;
  app.add_worker("dev");
  constexpr int kRacers = 64;
  // The first is for those who pick: whoever claims what the worker holds already would renew it.
  for (int i = 0; i <= kRacers; ++i) app.create("Task", {.status = "todo", .assignee = "dev"});
  std::atomic<int> won = 0, busy = 0;
  {
    std::vector<std::jthread> racers;
    for (int i = 1; i <= kRacers; ++i)
      racers.emplace_back([&, i] {
        auto const answer = i % 3 == 0 ? app.ask<&service::pick_task>({.worker = "dev"})
                            : i % 3 == 1
                                ? app.ask<&service::claim_task>({.id = i + 1, .by = "dev"})
                                : app.ask<&service::move_task>({.id = i + 1, .status = "in_progress"});
        if (answer)
          ++won;
        else if (answer.error().code == core::Code::kWorkerBusy)
          ++busy;
      });
  }
  CHECK(won == 1);
  CHECK(busy == kRacers - 1);
}

TEST_CASE("Claim.SixtyFourRacersForOneTaskHaveOneWinner") {
  TestApp app;
  app.create("Task", {.status = "todo"});
  std::atomic<int> won = 0, refused = 0;
  {
    std::vector<std::jthread> racers;
    for (int i = 0; i < 64; ++i)
      racers.emplace_back([&, i] {
        auto const answer = app.ask<&service::claim_task>({.id = 1, .by = "a" + std::to_string(i)});
        if (answer)
          ++won;
        else if (answer.error().code == core::Code::kTaskClaimed)
          ++refused;
      });
  }
  CHECK(won == 1);
  CHECK(refused == 63);
}

TEST_CASE("Release.PutsStrictWorkBackIntoTheQueueAndLeavesOpenWorkWhereItIs") {
  TestApp strict("queue");
  strict.create("Task", {.status = "ready"});
  strict.call<&service::pick_task>({.by = "bob"});
  strict.call<&service::start_task>({.id = 1, .claim = "bob"});
  CHECK(strict.call<&service::release_task>({.id = 1}).stage == core::Stage::ready);
  TestApp open("flow");
  open.create("Task", {.status = "in-progress", .claim = "bob"});
  CHECK(open.call<&service::release_task>({.id = 1}).status == "in-progress");
}

TEST_CASE("Claim.OfALiveRunIsGivenToNobodyBeforeItsProcessesAreGone") {
  TestApp app{"classic"};
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  auto const run = app.start("dev");
  app.clock.advance(1h);
  CHECK(app.refusal<&service::claim_task>({.id = 1, .by = "ann"}) == "TASK_CLAIMED");
  CHECK(app.refusal<&service::dispatch_next>({.worker = "dev"}) == "WORKER_BUSY");
  app.call<&service::finish_run>({.id = run.id, .stopped_because = core::StopReason::lost});
  CHECK(app.call<&service::claim_task>({.id = 1, .by = "ann"}).claimed_by == "ann");
}

TEST_CASE("Claim.OfUnapprovedWorkIsRefusedWhereTheMachineIsStrict") {
  TestApp app("queue");
  app.create("Task");
  for (bool const force : {false, true}) {
    auto const refused = app.error<&service::claim_task>({.id = 1, .by = "bob", .force = force});
    CHECK(refused.code == core::Code::kIllegalTransition);
    CHECK(refused.message.contains("possible now: approve"));
  }
  app.call<&service::approve_task>({.id = 1});
  CHECK(app.call<&service::claim_task>({.id = 1, .by = "bob"}).claimed_by == "bob");
}

TEST_CASE("Claim.OfUnapprovedWorkIsNotForWorkers") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task");
  auto caller = test::ann();
  caller.actor = {core::ActorKind::worker, "dev"};
  CHECK(app.refusal<&service::claim_task>({.id = 1, .by = "dev"}, caller) == "APPROVAL_REQUIRED");
  CHECK(app.refusal<&service::claim_task>({.id = 1, .by = "dev"}) == "APPROVAL_REQUIRED");
  CHECK(app.refusal<&service::claim_task>({.id = 1, .by = "free-agent"}) == "APPROVAL_REQUIRED");
  CHECK(app.call<&service::claim_task>({.id = 1}).claimed_by == "ann");
}

TEST_CASE("Claim.OfBlockedWorkIsForPeopleAlone") {
  for (auto const* shape : {"classic", "flow", "queue"}) {
    CAPTURE(shape);
    TestApp app(shape);
    app.add_worker("dev", {.takes_unassigned = true});
    app.create("Task", {.status = shape == std::string{"queue"} ? "ready" : "todo"});
    app.call<&service::block_task>({.id = 1, .reason = "no key"});
    for (auto const* name : {"dev", "free-agent"})
      CHECK(app.refusal<&service::claim_task>({.id = 1, .by = std::string{name}}) == "ILLEGAL_TRANSITION");
    app.call<&service::unblock_task>({.id = 1});
    CHECK(app.call<&service::claim_task>({.id = 1, .by = "free-agent"}).claimed_by == "free-agent");
  }
}
