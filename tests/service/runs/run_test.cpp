#include <algorithm>

#include <doctest/doctest.h>

#include "core/tasks/claim.hpp"
#include "service/access/access.hpp"
#include "service/boards/boards.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Outcome;
using core::RunState;
using core::Stage;
using test::agent;
using test::AnyCall;
using test::call_of;
using test::TestApp;

namespace {

/// A board with one worker that works on one task under a runner.
struct AtWork {
  explicit AtWork(std::string_view board_template = "classic", service::CreateTaskRequest task = {})
      : app(board_template) {
    app.add_worker("dev", {.takes_unassigned = true});
    task.status = board_template == "queue" ? "ready" : "todo";
    app.create("Task", task);
    run = app.start("dev");
  }
  /// What the agent is told that may not do that.
  std::string refusal(AnyCall const& act) { return app.refusal(act, agent(run)); }
  template <auto F>
  std::string refusal(test::RequestOf<F> const& request) {
    return app.refusal<F>(request, agent(run));
  }
  /// No operation gives a task away whose run lives: a store that was restored may hold such a one.
  void give_to(std::string const& name) {
    app.executor.write([&](service::OperationContext& u) {
      auto task = *u.tx.task(1);
      core::end_claim(task);
      core::claim(task, name, 1h, u.now);
      u.tx.put(task);
      return true;
    });
  }
  TestApp app;
  core::Run run;
};

}  // namespace

TEST_CASE("Run.IsOpenedWithItsClaimAndStartsItsTask") {
  AtWork at;
  CHECK(at.run.state == RunState::running);
  CHECK(at.run.attempt == 1);
  auto const task = at.app.stored(1);
  CHECK(task.stage == Stage::active);
  CHECK(task.claimed_by == "dev");
  CHECK(task.epoch == at.run.epoch);
  CHECK(task.state.supervised);
  CHECK(*task.claim_expires == at.app.clock.now() + 60s);
  auto const kinds = at.app.kinds(0);
  CHECK(std::ranges::count(kinds, "run.started") == 1);
  CHECK(at.app.refusal<&service::begin_run>({.id = at.run.id, .token_hash = "x"}) == "CONFLICT");
  CHECK(at.app.call<&service::adopt_run>({.id = at.run.id, .pid = 8, .process = "boot 8"}).pid == 8);
  CHECK(at.app.kinds(0).back() == "run.adopted");
}

TEST_CASE("Run.IsToldOfByItsSupervisingProcessAndNotByItsAgent") {
  AtWork at;
  CHECK(at.refusal<&service::report_usage>({.id = at.run.id, .usage = core::Usage{.input = -1'000'000}}) ==
        "FORBIDDEN");
  service::FinishRunRequest const ending{
      .id = at.run.id, .result = "forged", .checks = {{.name = "unit", .passed = true}}};
  auto asking = test::agent(at.run);
  CHECK(at.app.refusal<&service::finish_run>(ending, asking) == "FORBIDDEN");
  asking.run->process = at.run.process + "1";
  CHECK(at.app.refusal<&service::finish_run>(ending, asking) == "FORBIDDEN");
  CHECK(at.app.stored(1).stage == Stage::active);
  asking.run->process = at.run.process;
  CHECK(at.app.call<&service::finish_run>(ending, asking).state == RunState::ended);
}

TEST_CASE("Run.EveryOutcomeDoesToItsTaskWhatTheContractSays") {
  struct Row {
    service::FinishRunRequest ending;
    Outcome outcome;
    Stage stage;
  };
  for (auto const& row :
       {Row{{.result = "made it", .exit = {.code = 0}}, Outcome::succeeded, Stage::review},
        Row{{.exit = {.code = 0}, .commits = {"abc"}}, Outcome::succeeded, Stage::review},
        Row{{.exit = {.code = 0}}, Outcome::incomplete, Stage::review},
        Row{{.exit = {.code = 2}}, Outcome::failed, Stage::ready},
        Row{{.exit = {.signal = 9}}, Outcome::failed, Stage::ready},
        Row{{.has_result = true, .result_is_error = true, .result = "cannot build"},
            Outcome::failed,
            Stage::ready},
        Row{{.stopped_because = core::StopReason::stale}, Outcome::timed_out, Stage::ready},
        Row{{.stopped_because = core::StopReason::timed_out}, Outcome::timed_out, Stage::active},
        Row{{.stopped_because = core::StopReason::lost}, Outcome::lost, Stage::ready},
        Row{{.stopped_because = core::StopReason::rate_limited}, Outcome::rate_limited, Stage::ready},
        Row{{.stopped_because = core::StopReason::over_budget}, Outcome::over_budget, Stage::active},
        Row{{.stopped_because = core::StopReason::killed}, Outcome::killed, Stage::backlog}}) {
    AtWork at("queue");
    CAPTURE(reflect::to_json(row.ending));
    auto const run = at.app.finish(at.run, row.ending);
    CHECK(run.state == RunState::ended);
    CHECK(run.outcome == row.outcome);
    auto const task = at.app.stored(1);
    CHECK(task.stage == row.stage);
    CHECK(task.claimed_by.empty());
    CHECK(task.blocked == (row.stage == Stage::active));
    CHECK(task.flag == (row.outcome == Outcome::incomplete ? "no evidence" : ""));
    CHECK(task.attempt == (row.outcome == Outcome::rate_limited ? 0 : 1));
    CHECK(at.app.kinds(0).back() == "run.ended");
  }
}

TEST_CASE("Run.WithoutAReviewColumnIncompleteWorkIsDoneAndFlagged") {
  AtWork at;
  at.app.finish(at.run, {.exit = {.code = 0}});
  CHECK(at.app.get(1).stage == Stage::done);
  CHECK(at.app.get(1).flag == "no evidence");
}

TEST_CASE("Run.EveryReportTakesEffectWhenItHasEnded") {
  struct Row {
    AnyCall report;
    AnyCall again;
    Outcome outcome;
    std::string_view classic, queue, flow;
  };
  for (auto const& row : {Row{call_of<&service::complete_task>({.id = 1, .result = "made it"}),
                              call_of<&service::complete_task>({.id = 1, .result = "made it"}),
                              Outcome::succeeded, "done", "needs_review", "review"},
                          Row{call_of<&service::handoff_task>({.id = 1, .note = "half done"}),
                              call_of<&service::handoff_task>({.id = 1}), Outcome::handed_off, "todo",
                              "needs_review", "review"},
                          Row{call_of<&service::fail_task>({.id = 1, .reason = "no compiler"}),
                              call_of<&service::fail_task>({.id = 1, .reason = "no compiler"}),
                              Outcome::failed, "todo", "ready", "todo"}})
    for (auto const& [board, status] :
         {std::pair{"classic", row.classic}, {"queue", row.queue}, {"flow", row.flow}}) {
      CAPTURE(row.report.operation);
      CAPTURE(board);
      AtWork at(board);
      auto const epoch = at.app.stored(1).epoch;
      at.app.answer(row.report, agent(at.run));
      auto const reported = at.app.stored(1);
      CHECK(reported.stage == Stage::active);
      CHECK(reported.flag == "reported");
      CHECK(reported.epoch == epoch);
      CHECK(reported.claimed_by == "dev");
      CHECK(at.app.answer<&service::heartbeat>({.id = 1, .epoch = epoch}, agent(at.run))
                .find(R"("reported":true)") != std::string::npos);
      CHECK(at.app.refusal<&service::dispatch_next>({.worker = "dev"}) == "WORKER_BUSY");
      auto const seq = at.app.last_seq();
      at.app.answer(row.again, agent(at.run));
      CHECK(at.app.last_seq() == seq);
      CHECK(at.app.finish(at.run, {.exit = {.code = 0}}).outcome == row.outcome);
      CHECK(at.app.get(1).status == status);
      CHECK(at.app.get(1).flag.empty());
      CHECK(at.app.get(1).claimed_by.empty());
    }
}

TEST_CASE("Run.TheLastReportCounts") {
  AtWork at;
  at.app.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(at.run));
  at.app.call<&service::block_task>({.id = 1, .reason = "no key"}, agent(at.run));
  CHECK(at.app.finish(at.run, {.exit = {.code = 0}}).outcome == Outcome::blocked);
  CHECK(at.app.get(1).block_reason == "no key");
}

TEST_CASE("Run.EndedTwiceChangesNothingTheSecondTime") {
  AtWork at;
  at.app.finish(at.run);
  auto const before = at.app.digest();
  CHECK(at.app.finish(at.run, {.exit = {.code = 9}}).outcome == Outcome::succeeded);
  CHECK(at.app.digest() == before);
}

TEST_CASE("Run.WhatItsAgentSaidComesBeforeItsExitCode") {
  AtWork at("queue");
  at.app.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(at.run));
  CHECK(at.app.get(1).stage == Stage::active);
  CHECK(at.app.finish(at.run, {.exit = {.code = 1}}).outcome == Outcome::succeeded);
  CHECK(at.app.get(1).stage == Stage::review);
}

TEST_CASE("Run.ATaskWhoseClaimMovedOnIsLeftAlone") {
  AtWork at;
  at.give_to("bob");
  auto const before = at.app.stored(1);
  at.app.finish(at.run, {.exit = {.code = 1}});
  auto after = at.app.stored(1);
  CHECK(after.rev > before.rev);
  after.rev = before.rev;  // its card shows that the run has ended; nothing else may change
  CHECK(after == before);
}

TEST_CASE("Run.StopOrdersAreCarriedOutWhenItsProcessesAreGone") {
  struct Row {
    AnyCall order;
    std::string_view status;
  };
  for (auto const& row :
       {Row{call_of<&service::kill_task>({.id = 1}), "backlog"},
        Row{call_of<&service::move_task>({.id = 1, .status = "done", .force = true}), "done"},
        Row{call_of<&service::edit_task>({.id = 1, .status = "todo", .force = true}), "todo"},
        Row{call_of<&service::edit_task>({.id = 1, .assignee = "eve", .force = true}), "todo"},
        Row{call_of<&service::block_task>({.id = 1, .reason = "no key", .force = true}), "blocked"},
        Row{call_of<&service::release_task>({.id = 1}), "todo"},
        Row{call_of<&service::archive_task>({.id = 1, .force = true}), "archived"},
        Row{call_of<&service::delete_task>({.id = 1, .force = true}), "archived"}}) {
    AtWork at;
    CAPTURE(row.order.operation);
    CAPTURE(row.status);
    at.app.answer(row.order);
    CHECK(at.app.get(1).stage == Stage::active);
    CHECK(at.app.call<&service::get_run>({.id = at.run.id}).state == RunState::stopping);
    CHECK(at.app.refusal<&service::dispatch_next>({.worker = "dev"}) == "WORKER_BUSY");
    // The agent has no say any more.
    CHECK(at.refusal<&service::complete_task>({.id = 1, .result = "made it"}) == "STALE_CLAIM");
    CHECK(at.refusal<&service::fail_task>({.id = 1, .reason = "no compiler"}) == "STALE_CLAIM");
    CHECK(at.app.answer<&service::heartbeat>({.id = 1, .epoch = at.run.epoch}, agent(at.run))
              .find(R"("cancelled":true)") != std::string::npos);
    at.app.clock.advance(1s);
    CHECK(at.app.finish(at.run).outcome == Outcome::killed);
    auto const task = at.app.stored(1);
    CHECK(task.status == row.status);
    CHECK(task.claimed_by.empty());
    CHECK_FALSE(task.state.stopping);
  }
}

TEST_CASE("Run.WorkMovedToTheBlockedColumnIsBlockedWhenItsProcessesAreGone") {
  AtWork at;
  at.app.call<&service::move_task>({.id = 1, .status = "blocked", .reason = "no key", .force = true});
  at.app.finish(at.run);
  auto const task = at.app.stored(1);
  CHECK(task.status == "blocked");
  CHECK(task.blocked);
  CHECK(task.block_reason == "no key");
  CHECK(task.state.returns_to == "in_progress");
}

TEST_CASE("Run.WorkMovedToTheBacklogHasToBeApprovedAnewWhenItsProcessesAreGone") {
  AtWork at;
  at.app.call<&service::move_task>({.id = 1, .status = "backlog", .force = true});
  at.app.finish(at.run);
  CHECK(at.app.stored(1).stage == Stage::backlog);
  CHECK_FALSE(at.app.stored(1).approved);
}

TEST_CASE("Run.TheKillSwitchOverridesAnEarlierStopOrder") {
  AtWork at;
  at.app.call<&service::release_task>({.id = 1});
  CHECK(at.app.refusal<&service::block_task>({.id = 1, .reason = "x", .force = true}) == "CONFLICT");
  at.app.call<&service::kill_task>({.id = 1});
  at.app.finish(at.run);
  CHECK(at.app.get(1).stage == Stage::backlog);
}

TEST_CASE("Run.MayChangeItsOwnTaskOnlyAndNeverForce") {
  AtWork at;
  auto const other = at.app.create("Other", {.status = "todo"});
  CHECK(at.app.refusal<&service::edit_task>({.id = other.id, .title = "x"}, agent(at.run)) == "FORBIDDEN");
  CHECK(at.refusal<&service::edit_task>({.id = 1, .title = "x", .force = true}) == "FORBIDDEN");
  CHECK(at.refusal<&service::approve_task>({.id = 1}) == "FORBIDDEN");
  CHECK(at.refusal<&service::unblock_task>({.id = 1}) == "FORBIDDEN");
  CHECK(at.refusal<&service::accept_task>({.id = 1}) == "FORBIDDEN");
  CHECK(at.refusal<&service::retry_task>({.id = 1}) == "FORBIDDEN");
  CHECK(at.refusal<&service::kill_task>({.id = 1}) == "FORBIDDEN");
  CHECK(at.refusal<&service::delete_task>({.id = 1}) == "FORBIDDEN");
  CHECK(at.app.call<&service::note_task>({.id = other.id, .text = "seen"}, agent(at.run)).id == other.id);
}

TEST_CASE("Run.GetsOnWithEveryWriteToTheBoardAndNotWithItsHeartbeats") {
  AtWork at;
  auto const heartbeat = [&] {
    return at.app.call<&service::heartbeat>({.id = 1, .epoch = at.run.epoch}, agent(at.run));
  };
  auto const begun = heartbeat().progress;
  at.app.clock.advance(20s);
  CHECK(heartbeat().progress == begun);
  at.app.call<&service::note_task>({.id = 1, .text = "half of it"}, agent(at.run));
  CHECK(heartbeat().progress == at.app.clock.now());
}

TEST_CASE("Run.NamingAnotherEpochThanItsTokenIsStale") {
  AtWork at;
  CHECK(at.refusal<&service::complete_task>({.id = 1, .result = "made it", .epoch = 99}) == "STALE_CLAIM");
  CHECK(at.refusal<&service::heartbeat>({.id = 1, .epoch = 99}) == "STALE_CLAIM");
  auto const epoch = at.app.get(1).epoch;
  service::CompleteRequest const done{.id = 1, .result = "made it", .epoch = epoch};
  CHECK(at.app.call<&service::complete_task>(done, agent(at.run)).id == 1);
}

TEST_CASE("Run.SeesNoOtherBoard") {
  AtWork at;
  at.app.call<&service::create_board>({{}, "secret"});
  auto const hidden = at.app.create("Hidden", {.board = "secret"});
  CHECK(at.app.refusal<&service::get_task>({.id = hidden.id}, agent(at.run)) == "TASK_NOT_FOUND");
  CHECK(at.app.refusal<&service::list_tasks>({.board = "secret"}, agent(at.run)) == "BOARD_NOT_FOUND");
  CHECK(at.app.refusal<&service::create_task>({.title = "x", .board = "secret"}, agent(at.run)) ==
        "BOARD_NOT_FOUND");
  CHECK(at.refusal<&service::edit_task>({.id = 1, .add_deps = {hidden.id}}) == "DEPENDENCY_NOT_FOUND");
}

TEST_CASE("Run.AZombieIsRefusedByEveryVerbAndChangesNothing") {
  AtWork at("queue");
  at.give_to("bob");
  auto const now = at.app.get(1).epoch;
  for (auto const& act :
       {call_of<&service::edit_task>({.id = 1, .title = "x"}),
        call_of<&service::move_task>({.id = 1, .status = "ready"}), call_of<&service::submit_task>({.id = 1}),
        call_of<&service::complete_task>({.id = 1}), call_of<&service::fail_task>({.id = 1, .reason = "x"}),
        call_of<&service::block_task>({.id = 1, .reason = "x"}), call_of<&service::handoff_task>({.id = 1}),
        call_of<&service::release_task>({.id = 1}), call_of<&service::start_task>({.id = 1}),
        call_of<&service::claim_task>({.id = 1}), call_of<&service::note_task>({.id = 1, .text = "x"}),
        call_of<&service::heartbeat>({.id = 1, .epoch = now}),
        call_of<&service::edit_task>({.id = 1, .title = "x", .epoch = now})}) {
    CAPTURE(act.operation);
    CHECK(at.refusal(act) == "STALE_CLAIM");
  }
}

TEST_CASE("Run.MovingItsTaskOutOfWorkIsAReportAndNoVerdict") {
  AtWork at("queue");
  CHECK(at.refusal<&service::move_task>({.id = 1, .status = "completed"}) == "ILLEGAL_TRANSITION");
  at.app.call<&service::move_task>({.id = 1, .status = "needs_review"}, agent(at.run));
  CHECK(at.app.get(1).stage == Stage::active);
  CHECK(at.app.get(1).flag == "reported");
  at.app.finish(at.run);
  CHECK(at.app.get(1).stage == Stage::review);
}

TEST_CASE("Run.ATaskIsNotGivenAwayWhileItsLastAgentLives") {
  AtWork at;
  at.app.call<&service::handoff_task>({.id = 1, .note = "half done"}, agent(at.run));
  CHECK(at.app.get(1).flag == "reported");
  at.app.add_worker("dev2", {.takes_unassigned = true});
  CHECK(at.app.refusal<&service::dispatch_next>({.worker = "dev2"}) == "NOTHING_TO_PICK");
  CHECK(at.app.refusal<&service::pick_task>({.by = "bob", .status = {"todo"}}) == "NOTHING_TO_PICK");
  at.app.finish(at.run);
  CHECK(at.app.start("dev2").task == 1);
}

TEST_CASE("Run.DispatchStopsAtPausesAndSlots") {
  TestApp app("queue");
  app.call<&service::edit_board>({{.max_concurrent = 1}, "queue"});
  for (auto const* name : {"dev", "dev2"}) app.add_worker(name, {.takes_unassigned = true});
  for (int i = 0; i < 2; ++i) app.create("Task", {.status = "ready"});
  for (auto const* board : {"", "queue"}) {
    app.call<&service::set_dispatch>({.paused = true, .board = board});
    CHECK(app.refusal<&service::dispatch_next>({.worker = "dev"}) == "NOTHING_TO_PICK");
    app.call<&service::set_dispatch>({.paused = false, .board = board});
  }
  app.call<&service::pause_worker>({.name = "dev"});
  CHECK(app.refusal<&service::dispatch_next>({.worker = "dev"}) == "NOTHING_TO_PICK");
  app.call<&service::resume_worker>({.name = "dev"});
  auto const run = app.start("dev");
  CHECK(app.refusal<&service::dispatch_next>({.worker = "dev2"}) == "NOTHING_TO_PICK");
  app.finish(run);
  CHECK(app.start("dev2").task == 2);
}

TEST_CASE("Run.ADragIntoWorkOpensOne") {
  TestApp app;
  app.add_worker("dev");
  app.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  app.create("Task", {.status = "todo", .assignee = "dev"});
  auto const task = app.move(1, "in_progress");
  REQUIRE(task.run);
  CHECK(app.call<&service::get_run>({.id = *task.run}).state == RunState::starting);
  auto const second = app.create("Second", {.status = "todo", .assignee = "dev"});
  CHECK(app.refusal<&service::move_task>({.id = second.id, .status = "in_progress"}) == "WORKER_BUSY");
}

TEST_CASE("Run.ItsTokenOutlivesItOnlyToHearThatItIsOver") {
  AtWork at;
  auto hash = std::to_string(at.run.id);
  hash.insert(0, 64 - hash.size(), 'a');
  auto const principal = [&] {
    std::optional<service::Principal> out;
    at.app.executor.read([&](service::OperationContext& u) {
      if (auto p = service::principal_of(u, hash)) out = *p;
    });
    return out;
  };
  CHECK_FALSE(principal()->ended);
  CHECK(principal()->caller.run->epoch == at.run.epoch);
  at.app.finish(at.run);
  CHECK(principal()->ended);
  at.app.clock.advance(24h);
  CHECK_FALSE(principal());
}

TEST_CASE("Run.ItsEndSaysWhenWhatItLeftRunningWasStopped") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Cart", {.status = "todo"});
  auto const run = app.start("dev");
  app.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(run));
  auto const ended = app.finish(run, {.stopped_because = core::StopReason::reported, .exit = {.signal = 15}});
  CHECK(ended.outcome == core::Outcome::succeeded);
  CHECK(ended.reason == "what it left running after its report was stopped");
}
