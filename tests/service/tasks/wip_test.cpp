#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/sweep.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::agent;
using test::board_edit;
using test::TestApp;

namespace {

void limit(TestApp& app, std::string const& column, int most) {
  app.call<&service::edit_board>(
      board_edit(app.board, [&](auto& edit) { edit.wip_limits = {{column, most}}; }));
}

/// A task of a strict board that `name` works on.
core::Task task_in_work(TestApp& app, std::string const& name) {
  auto const task = app.create("Task", {.status = "ready"});
  app.call<&service::claim_task>({.id = task.id, .by = name});
  return app.call<&service::start_task>({.id = task.id, .claim = name});
}

std::int64_t count(TestApp& app, std::string_view column) {
  std::int64_t n = 0;
  app.executor.read([&](service::OperationContext& u) {
    auto const load = u.tx.load(u.tx.board(app.board)->id);
    if (auto const found = load.columns.find(column); found != load.columns.end()) n = found->second;
  });
  return n;
}

}  // namespace

TEST_CASE("Wip.WhoeverHandsOnWorkIsRefusedByAFullColumn") {
  TestApp app("queue");
  auto const first = task_in_work(app, "bob"), second = task_in_work(app, "eve");
  limit(app, "needs_review", 1);
  app.call<&service::complete_task>({.id = first.id, .claim = "bob"});
  for (auto const& error : {app.error<&service::complete_task>({.id = second.id, .claim = "eve"}),
                            app.error<&service::submit_task>({.id = second.id, .claim = "eve"}),
                            app.error<&service::handoff_task>({.id = second.id, .claim = "eve"})}) {
    CHECK(error.code == core::Code::kWipLimitExceeded);
    CHECK(error.field == "status");
    CHECK(error.message.starts_with("needs_review is full (1/1)"));
  }
  app.call<&service::accept_task>({.id = first.id});
  CHECK(app.call<&service::complete_task>({.id = second.id, .claim = "eve"}).stage == Stage::review);
}

TEST_CASE("Wip.ARejectionFindsRoomOrIsRefused") {
  TestApp app("queue");
  auto const task = task_in_work(app, "bob");
  app.call<&service::complete_task>({.id = task.id, .claim = "bob"});
  app.create("Other", {.status = "ready"});
  limit(app, "ready", 1);
  CHECK(app.refusal<&service::reject_task>({.id = task.id, .reason = "no tests"}) == "WIP_LIMIT_EXCEEDED");
  app.call<&service::pick_task>({.by = "eve"});
  CHECK(app.call<&service::reject_task>({.id = task.id, .reason = "no tests"}).stage == Stage::ready);
}

TEST_CASE("Wip.UnblockRetryAndApproveFindRoomOrAreRefused") {
  TestApp app;
  auto const blocked = app.create("Blocked", {.status = "todo"});
  app.call<&service::block_task>({.id = blocked.id, .reason = "no key"});
  app.create("Other", {.status = "todo"});
  auto const idea = app.create("Idea");
  limit(app, "todo", 1);
  CHECK(app.refusal<&service::unblock_task>({.id = blocked.id}) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal<&service::approve_task>({.id = idea.id}) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal<&service::edit_task>({.id = idea.id, .status = "todo"}) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal<&service::create_task>({.title = "x", .status = "todo"}) == "WIP_LIMIT_EXCEEDED");
}

TEST_CASE("Wip.RecoveredWorkWaitsInTheBacklogForRoomAndComesBackByItself") {
  TestApp app("queue");
  auto const task = task_in_work(app, "bob");
  auto const other = app.create("Other", {.status = "ready"});
  limit(app, "ready", 1);
  app.clock.advance(61min);
  app.call<&service::sweep>();
  auto const waiting = app.get(task.id);
  CHECK(waiting.stage == Stage::backlog);
  CHECK(waiting.approved);
  CHECK(count(app, "ready") == 1);
  CHECK(app.call<&service::pick_task>({.by = "eve"}).id == other.id);
  CHECK(app.get(task.id).stage == Stage::ready);
  CHECK(count(app, "ready") == 1);
}

TEST_CASE("Wip.AFailedAttemptAndAReleaseWaitForRoomToo") {
  TestApp app("queue");
  auto const failing = task_in_work(app, "bob"), released = task_in_work(app, "eve");
  app.create("Other", {.status = "ready"});
  limit(app, "ready", 1);
  CHECK(app.call<&service::fail_task>({.id = failing.id, .reason = "x", .claim = "bob"}).stage ==
        Stage::backlog);
  CHECK(app.call<&service::release_task>({.id = released.id}).stage == Stage::backlog);
  limit(app, "ready", 2);
  CHECK(app.get(failing.id).stage == Stage::ready);
  CHECK(app.get(released.id).stage == Stage::backlog);
  limit(app, "ready", 0);
  CHECK(count(app, "ready") == 3);
}

TEST_CASE("Wip.WhatARunFinishedEntersAFullReviewAndTheHistorySaysSo") {
  TestApp app("queue");
  app.add_worker("dev", {.takes_unassigned = true});
  auto const waiting = task_in_work(app, "bob");
  app.call<&service::complete_task>({.id = waiting.id, .claim = "bob"});
  limit(app, "needs_review", 1);
  auto const task = app.create("Task", {.status = "ready"});
  auto const run = app.start("dev");
  auto const seq = app.last_seq();
  app.finish(run);
  CHECK(app.get(task.id).stage == Stage::review);
  CHECK(app.kinds(seq).front() == "limit.reached");
}

TEST_CASE("Wip.AFullReviewHoldsBackPicks") {
  TestApp app("queue");
  app.call<&service::edit_board>(
      {{.columns =
            std::vector<core::Column>{
                {.name = "pending", .stage = core::Stage::backlog},
                {.name = "ready"},
                {.name = "claimed", .stage = core::Stage::claimed},
                {.name = "in_progress", .stage = core::Stage::active},
                {.name = "needs_review", .stage = core::Stage::review, .wip_limit = 2, .holds_back = "Ready"},
                {.name = "completed", .stage = core::Stage::done},
                {.name = "failed", .stage = core::Stage::failed}}},
       "queue"});
  std::vector<core::Task> work;
  for (auto const* name : {"a", "b"}) work.push_back(task_in_work(app, name));
  for (int i = 0; i < 3; ++i) app.create("Waits", {.status = "ready"});
  app.call<&service::complete_task>({.id = work[0].id, .claim = "a"});
  CHECK(app.call<&service::pick_task>({.by = "c"}).stage == Stage::claimed);
  app.call<&service::complete_task>({.id = work[1].id, .claim = "b"});
  auto const error = app.error<&service::pick_task>({.by = "d"});
  CHECK(error.code == core::Code::kNothingToPick);
  CHECK(error.message.find("2 wip") != std::string::npos);
  app.add_worker("dev", {.takes_unassigned = true});
  CHECK(app.refusal<&service::dispatch_next>({.worker = "dev"}) == "NOTHING_TO_PICK");
  app.call<&service::accept_task>({.id = work[0].id});
  CHECK(app.call<&service::pick_task>({.by = "d"}).stage == Stage::claimed);
}

TEST_CASE("Wip.ALimitBelowWhatIsThereMovesNothingAndLetsNobodyIn") {
  TestApp app;
  for (int i = 0; i < 3; ++i) app.create("Task", {.status = "todo"});
  limit(app, "todo", 1);
  CHECK(count(app, "todo") == 3);
  CHECK(app.error<&service::create_task>({.title = "x", .status = "todo"})
            .message.starts_with("todo is full (3/1)"));
  app.move(1, "done");
  CHECK(app.refusal<&service::move_task>({.id = 1, .status = "todo"}) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal<&service::edit_board>(
            board_edit("classic", [](auto& edit) { edit.wip_limits = {{"todo", -1}}; })) == "INVALID_INPUT");
  CHECK(app.refusal<&service::edit_board>(board_edit(
            "classic", [](auto& edit) { edit.wip_limits = {{"nowhere", 1}}; })) == "INVALID_STATUS");
}

TEST_CASE("Wip.ExpediteEntersFullColumnsAndHasItsOwnLimitEverywhere") {
  TestApp app;
  app.create("Task", {.status = "todo"});
  limit(app, "todo", 1);
  auto const urgent = app.create("Urgent", {.status = "todo", .class_ = "expedite"});
  CHECK(urgent.stage == Stage::ready);
  CHECK(app.error<&service::create_task>({.title = "x", .class_ = "expedite"}).field == "class");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .class_ = "expedite"}) == "CLASS_WIP_EXCEEDED");
  app.move(urgent.id, "done");
  app.call<&service::edit_task>({.id = 1, .class_ = "expedite"});
  CHECK(app.refusal<&service::move_task>({.id = urgent.id, .status = "todo"}) == "CLASS_WIP_EXCEEDED");
}

TEST_CASE("Wip.AChainedTaskThatFoundNoRoomComesOutOnAnyBoard") {
  TestApp app;
  limit(app, "todo", 1);
  app.create("Start", {.status = "todo", .next_tasks = {{.title = "A"}, {.title = "B"}}});
  app.call<&service::complete_task>({.id = 1});
  CHECK(app.get(3).stage == Stage::backlog);
  CHECK(app.refusal<&service::approve_task>({.id = 3}) == "WIP_LIMIT_EXCEEDED");
  app.call<&service::complete_task>({.id = 2});
  CHECK(app.get(3).stage == Stage::ready);
}

TEST_CASE("Wip.AnOrderIntoAFullReadyColumnWaitsApprovedWhenTheAgentHasStopped") {
  for (auto const& order : {test::call_of<&service::move_task>({.id = 1, .status = "todo", .force = true}),
                            test::call_of<&service::edit_task>({.id = 1, .status = "todo", .force = true}),
                            test::call_of<&service::edit_task>({.id = 1, .assignee = "eve", .force = true}),
                            test::call_of<&service::release_task>({.id = 1})}) {
    CAPTURE(order.operation);
    TestApp app;
    app.add_worker("dev");
    app.create("Task", {.status = "todo", .assignee = "dev"});
    auto const run = app.start("dev");
    limit(app, "todo", 1);
    app.create("Other", {.status = "todo", .assignee = "ann"});
    app.answer(order);
    app.finish(run);
    CHECK(app.get(1).stage == Stage::backlog);
    CHECK(app.get(1).approved);
    app.move(2, "done");
    CHECK(app.get(1).stage == Stage::ready);
  }
}

TEST_CASE("Wip.ARunWhoseTaskMayNotBeginAnyMoreIsWithdrawn") {
  TestApp app;
  app.add_worker("dev");
  app.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  auto const task = app.create("Task", {.status = "todo", .assignee = "dev"});
  auto const other = app.create("Other", {.status = "todo"});
  auto const run = app.call<&service::dispatch_next>({.worker = "dev"});
  app.call<&service::edit_task>({.id = task.id, .add_deps = {other.id}, .force = true});
  CHECK(app.refusal<&service::begin_run>({.id = run.id, .token_hash = std::string(64, 'b')}) ==
        "DEPENDENCY_OPEN");
  app.finish(run, {.stopped_because = core::StopReason::withdrawn, .result = "waits for #2"});
  auto const after = app.get(task.id);
  CHECK(after.stage == Stage::ready);
  CHECK(after.attempt == 0);
}

TEST_CASE("Wip.WhatIsInAClassAlreadyGoesOnAlthoughItsLimitWasLowered") {
  TestApp app;
  auto const limit_to = [&](int most) {
    std::vector<core::ServiceClass> const classes{{.name = "expedite", .wip_limit = most},
                                                  {.name = "standard"}};
    app.call<&service::edit_board>({{.classes = classes}, "classic"});
  };
  limit_to(3);
  for (int i = 0; i < 3; ++i) app.create("Urgent", {.status = "todo", .class_ = "expedite"});
  limit_to(1);
  CHECK(app.move(1, "in_progress").stage == Stage::active);
  CHECK(app.call<&service::edit_task>({.id = 2, .title = "More urgent", .class_ = "expedite"}).title ==
        "More urgent");
  app.call<&service::block_task>({.id = 2, .reason = "no key"});
  CHECK(app.call<&service::unblock_task>({.id = 2}).stage == Stage::ready);
  CHECK(app.call<&service::pick_task>({.by = "bob", .status = {"todo"}, .move = "in_progress"}).id == 2);
  CHECK(app.refusal<&service::create_task>({.title = "x", .class_ = "expedite"}) == "CLASS_WIP_EXCEEDED");
  CHECK(app.call<&service::complete_task>({.id = 1}).stage == Stage::done);
  CHECK(app.refusal<&service::move_task>({.id = 1, .status = "todo"}) == "CLASS_WIP_EXCEEDED");
}
