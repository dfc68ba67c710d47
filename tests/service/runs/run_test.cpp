#include <algorithm>

#include <doctest/doctest.h>

#include "service/access/access.hpp"
#include "service/boards/boards.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/stop.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Outcome;
using core::RunState;
using core::Stage;
using test::agent;
using test::on;
using test::TestApp;

namespace {

/// A board with one worker that works on one task under a runner.
struct AtWork {
  explicit AtWork(std::string_view board_template = "classic", std::string_view members = {})
      : app(board_template) {
    app.add_worker("dev", {.takes_unassigned = true});
    auto const rest = members.empty() ? "" : "," + std::string{members};
    app.create_of_json(
        "Task", "\"status\":\"" + std::string{board_template == "queue" ? "ready" : "todo"} + "\"" + rest);
    run = app.start("dev");
  }
  std::string refusal(std::string_view operation, std::string_view members) {
    return app.refusal(operation, on(1, members), agent(run));
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
  auto const refund = on(at.run.id, R"("usage":{"input":-1000000})");
  CHECK(at.app.refusal("report_usage", refund, test::agent(at.run)) == "FORBIDDEN");
  auto const ending = on(at.run.id, R"("result":"forged","checks":[{"name":"unit","passed":true}])");
  auto asking = test::agent(at.run);
  CHECK(at.app.refusal("finish_run", ending, asking) == "FORBIDDEN");
  asking.run->process = at.run.process + "1";
  CHECK(at.app.refusal("finish_run", ending, asking) == "FORBIDDEN");
  CHECK(at.app.stored(1).stage == Stage::active);
  asking.run->process = at.run.process;
  CHECK(at.app.run("finish_run", ending, asking).state == RunState::ended);
}

TEST_CASE("Run.EveryOutcomeDoesToItsTaskWhatTheContractSays") {
  struct Row {
    std::string_view ending;
    Outcome outcome;
    Stage stage;
  };
  for (auto const& row : {Row{R"("result":"made it","exit":{"code":0})", Outcome::succeeded, Stage::review},
                          Row{R"("commits":["abc"],"exit":{"code":0})", Outcome::succeeded, Stage::review},
                          Row{R"("exit":{"code":0})", Outcome::incomplete, Stage::review},
                          Row{R"("exit":{"code":2})", Outcome::failed, Stage::ready},
                          Row{R"("exit":{"signal":9})", Outcome::failed, Stage::ready},
                          Row{R"("has_result":true,"result_is_error":true,"result":"cannot build")",
                              Outcome::failed, Stage::ready},
                          Row{R"("stopped_because":"stale")", Outcome::timed_out, Stage::ready},
                          Row{R"("stopped_because":"timed_out")", Outcome::timed_out, Stage::active},
                          Row{R"("stopped_because":"lost")", Outcome::lost, Stage::ready},
                          Row{R"("stopped_because":"rate_limited")", Outcome::rate_limited, Stage::ready},
                          Row{R"("stopped_because":"over_budget")", Outcome::over_budget, Stage::active},
                          Row{R"("stopped_because":"killed")", Outcome::killed, Stage::backlog}}) {
    AtWork at("queue");
    CAPTURE(row.ending);
    auto const run = at.app.finish_of_json(at.run, row.ending);
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
    std::string_view operation, members;
    Outcome outcome;
    std::string_view classic, queue, flow;
  };
  for (auto const& row :
       {Row{"complete_task", R"("result":"made it")", Outcome::succeeded, "done", "needs_review", "review"},
        Row{"handoff_task", R"("note":"half done")", Outcome::handed_off, "todo", "needs_review", "review"},
        Row{"fail_task", R"("reason":"no compiler")", Outcome::failed, "todo", "ready", "todo"}})
    for (auto const& [board, status] :
         {std::pair{"classic", row.classic}, {"queue", row.queue}, {"flow", row.flow}}) {
      CAPTURE(row.operation);
      CAPTURE(board);
      AtWork at(board);
      auto const epoch = at.app.stored(1).epoch;
      at.app.task(row.operation, on(1, row.members), agent(at.run));
      auto const reported = at.app.stored(1);
      CHECK(reported.stage == Stage::active);
      CHECK(reported.flag == "reported");
      CHECK(reported.epoch == epoch);
      CHECK(reported.claimed_by == "dev");
      CHECK(at.app.answer<&service::heartbeat>({.id = 1, .epoch = epoch}, agent(at.run))
                .find(R"("reported":true)") != std::string::npos);
      CHECK(at.app.refusal<&service::dispatch_next>({.worker = "dev"}) == "WORKER_BUSY");
      auto const seq = at.app.last_seq();
      at.app.task(row.operation, on(1, row.operation == "handoff_task" ? "" : row.members), agent(at.run));
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
    std::string_view operation, members;
    std::string_view status;
  };
  for (auto const& row :
       {Row{"kill_task", "", "backlog"}, Row{"move_task", R"("status":"done","force":true)", "done"},
        Row{"update_task", R"("status":"todo","force":true)", "todo"},
        Row{"update_task", R"("assignee":"eve","force":true)", "todo"},
        Row{"block_task", R"("reason":"no key","force":true)", "blocked"}, Row{"release_task", "", "todo"},
        Row{"archive_task", R"("force":true)", "archived"},
        Row{"delete_task", R"("force":true)", "archived"}}) {
    AtWork at;
    CAPTURE(row.operation);
    CAPTURE(row.members);
    at.app.answer(row.operation, on(1, row.members));
    CHECK(at.app.get(1).stage == Stage::active);
    CHECK(at.app.call<&service::get_run>({.id = at.run.id}).state == RunState::stopping);
    CHECK(at.app.refusal<&service::dispatch_next>({.worker = "dev"}) == "WORKER_BUSY");
    // The agent has no say any more.
    CHECK(at.refusal("complete_task", R"("result":"made it")") == "STALE_CLAIM");
    CHECK(at.refusal("fail_task", R"("reason":"no compiler")") == "STALE_CLAIM");
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
  CHECK(at.refusal("update_task", R"("title":"x","force":true)") == "FORBIDDEN");
  for (auto const* operation :
       {"approve_task", "unblock_task", "accept_task", "retry_task", "kill_task", "delete_task"})
    CHECK(at.refusal(operation, "") == "FORBIDDEN");
  CHECK(at.app.call<&service::note_task>({.id = other.id, .text = "seen"}, agent(at.run)).id == other.id);
}

TEST_CASE("Run.GetsOnWithEveryWriteToTheBoardAndNotWithItsHeartbeats") {
  AtWork at;
  auto const heartbeat = [&] {
    auto const epoch = "\"epoch\":" + std::to_string(at.run.epoch);
    return *reflect::read_json<service::Heartbeat>(at.app.answer("heartbeat", on(1, epoch), agent(at.run)));
  };
  auto const begun = heartbeat().progress;
  at.app.clock.advance(20s);
  CHECK(heartbeat().progress == begun);
  at.app.call<&service::note_task>({.id = 1, .text = "half of it"}, agent(at.run));
  CHECK(heartbeat().progress == at.app.clock.now());
}

TEST_CASE("Run.NamingAnotherEpochThanItsTokenIsStale") {
  AtWork at;
  CHECK(at.refusal("complete_task", R"("result":"made it","epoch":99)") == "STALE_CLAIM");
  CHECK(at.refusal("heartbeat", R"("epoch":99)") == "STALE_CLAIM");
  auto const epoch = std::to_string(at.app.get(1).epoch);
  CHECK(at.app.task("complete_task", on(1, R"("result":"made it","epoch":)" + epoch), agent(at.run)).id == 1);
}

TEST_CASE("Run.SeesNoOtherBoard") {
  AtWork at;
  at.app.call<&service::create_board>({{}, "secret"});
  auto const hidden = at.app.create("Hidden", {.board = "secret"});
  CHECK(at.app.refusal<&service::get_task>({.id = hidden.id}, agent(at.run)) == "TASK_NOT_FOUND");
  CHECK(at.app.refusal<&service::list_tasks>({.board = "secret"}, agent(at.run)) == "BOARD_NOT_FOUND");
  CHECK(at.app.refusal<&service::create_task>({.title = "x", .board = "secret"}, agent(at.run)) ==
        "BOARD_NOT_FOUND");
  CHECK(at.refusal("update_task", "\"add_deps\":[" + std::to_string(hidden.id) + "]") ==
        "DEPENDENCY_NOT_FOUND");
}

TEST_CASE("Run.AZombieIsRefusedByEveryVerbAndChangesNothing") {
  AtWork at("queue");
  at.give_to("bob");
  struct Verb {
    std::string_view operation, members;
  };
  auto const now = "\"epoch\":" + std::to_string(at.app.get(1).epoch);
  auto const edit = now + R"(,"title":"x")";
  for (auto const& [operation, members] :
       {Verb{"update_task", R"("title":"x")"}, Verb{"move_task", R"("status":"ready")"},
        Verb{"submit_task", ""}, Verb{"complete_task", ""}, Verb{"fail_task", R"("reason":"x")"},
        Verb{"block_task", R"("reason":"x")"}, Verb{"handoff_task", ""}, Verb{"release_task", ""},
        Verb{"start_task", ""}, Verb{"claim_task", ""}, Verb{"add_note", R"("text":"x")"},
        Verb{"heartbeat", now}, Verb{"update_task", edit}}) {
    CAPTURE(operation);
    CHECK(at.refusal(operation, members) == "STALE_CLAIM");
  }
}

TEST_CASE("Run.MovingItsTaskOutOfWorkIsAReportAndNoVerdict") {
  AtWork at("queue");
  CHECK(at.refusal("move_task", R"("status":"completed")") == "ILLEGAL_TRANSITION");
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
  for (auto const& [pause, resume] :
       {std::pair{R"({"paused":true})", R"({"paused":false})"},
        {R"({"paused":true,"board":"queue"})", R"({"paused":false,"board":"queue"})"}}) {
    app.answer("set_dispatch", pause);
    CHECK(app.refusal<&service::dispatch_next>({.worker = "dev"}) == "NOTHING_TO_PICK");
    app.answer("set_dispatch", resume);
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
  auto const ended = app.finish(run, {.stopped_because = "reported", .exit = {.signal = 15}});
  CHECK(ended.outcome == core::Outcome::succeeded);
  CHECK(ended.reason == "what it left running after its report was stopped");
}
