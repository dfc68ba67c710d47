#include "service/tasks/move.hpp"

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

TEST_CASE("Move.ChecksStandInTheOrderOfTheContract") {
  TestApp app("flow");
  auto const held = app.create("Held", {.status = "todo", .claim = "bob"});
  app.call<&service::edit_board>({{.workflow = core::Workflow::strict}, "flow"});
  // Everything is wrong at once; each refusal comes before the next.
  CHECK(app.refusal<&service::move_task>({.id = 99, .status = "todo"}) == "TASK_NOT_FOUND");
  CHECK(app.refusal<&service::move_task>({.id = held.id, .status = "nowhere"}) == "INVALID_STATUS");
  CHECK(app.refusal<&service::move_task>({.id = held.id, .status = "todo", .epoch = 77}) == "STALE_CLAIM");
  CHECK(app.refusal<&service::move_task>({.id = held.id, .status = "todo"}) == "TASK_CLAIMED");
  auto const seq = app.last_seq();
  CHECK(app.call<&service::move_task>({.id = held.id, .status = "To Do", .claim = "bob"}).status == "todo");
  CHECK(app.last_seq() == seq);
  CHECK(app.refusal<&service::move_task>({.id = held.id, .status = "review", .claim = "bob"}) ==
        "ILLEGAL_TRANSITION");
}

TEST_CASE("Move.AColumnThatRequiresAClaimLetsNobodyInWithoutOne") {
  TestApp app("flow");
  auto const task = app.create("Task", {.status = "todo"});
  CHECK(app.refusal<&service::move_task>({.id = task.id, .status = "in-progress"}) == "CLAIM_REQUIRED");
  auto const moved = app.call<&service::move_task>({.id = task.id, .status = "in-progress", .claim = "bob"});
  CHECK(moved.claimed_by == "bob");
  CHECK(moved.stage == core::Stage::active);
}

TEST_CASE("Move.KeepsASelfReportedClaim") {
  TestApp app("flow");
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  auto const moved = app.call<&service::move_task>({.id = task.id, .status = "done", .claim = "bob"});
  CHECK(moved.claimed_by == "bob");
  CHECK(moved.epoch == task.epoch);
}

TEST_CASE("Move.IntoTheArchiveEndsAClaim") {
  TestApp app("flow");
  auto const open = app.create("Open", {.status = "todo", .claim = "bob"});
  CHECK(app.call<&service::move_task>({.id = open.id, .status = "archived", .claim = "bob"})
            .claimed_by.empty());
  auto const done = app.create("Done", {.status = "todo"});
  app.call<&service::move_task>({.id = done.id, .status = "done", .claim = "bob"});
  CHECK(app.refusal<&service::move_task>({.id = done.id, .status = "archived", .claim = "ann"}) ==
        "TASK_CLAIMED");
  CHECK(app.call<&service::move_task>({.id = done.id, .status = "archived", .claim = "bob"})
            .claimed_by.empty());
  auto const edited = app.create("Edited", {.status = "todo", .claim = "bob"});
  CHECK(app.call<&service::edit_task>({.id = edited.id, .status = "archived", .claim = "bob"})
            .claimed_by.empty());
}

TEST_CASE("Move.OutOfTheArchiveKeepsTheTimeItWasDone") {
  TestApp app("flow");
  auto const task = app.create("Task", {.status = "done"});
  auto const done = app.clock.now();
  app.clock.advance(std::chrono::hours{1});
  app.move(task.id, "archived");
  CHECK(app.move(task.id, "done").completed == done);
  app.move(task.id, "todo");
  CHECK(app.move(task.id, "done").completed == app.clock.now());
}

TEST_CASE("Move.BetweenTheEndsTakesNoClaim") {
  TestApp app("flow");
  auto const task = app.create("Task", {.status = "done"});
  CHECK(app.call<&service::move_task>({.id = task.id, .status = "archived", .claim = "bob"})
            .claimed_by.empty());
  CHECK(app.call<&service::move_task>({.id = task.id, .status = "done", .claim = "bob"}).claimed_by.empty());
  CHECK(app.call<&service::move_task>({.id = task.id, .status = "todo", .claim = "bob"}).claimed_by == "bob");
}

TEST_CASE("Move.ForceOverridesAClaimAndIsRecorded") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  app.call<&service::move_task>({.id = task.id, .status = "done", .force = true});
  CHECK(app.events().back().data.find("\"forced\":\"bob\"") != std::string::npos);
}

TEST_CASE("Move.StrictBoardsKeepToTheTableAndNameTheLegalTargets") {
  TestApp app("queue");
  auto const task = app.create("Task");
  auto const error = app.error<&service::move_task>({.id = task.id, .status = "completed"});
  CHECK(error.code == core::Code::kIllegalTransition);
  CHECK(error.message.find("ready, blocked, archived") != std::string::npos);
}

TEST_CASE("Move.NobodyWalksAroundTheVerdict") {
  TestApp app("queue");
  app.create("Task", {.status = "ready"});
  auto const picked = app.call<&service::pick_task>({.by = "bob"});
  app.call<&service::start_task>({.id = picked.id, .claim = "bob"});
  CHECK(app.refusal<&service::move_task>({.id = picked.id, .status = "completed", .claim = "bob"}) ==
        "ILLEGAL_TRANSITION");
  app.call<&service::edit_task>({.id = picked.id, .review = core::ReviewRule::none, .claim = "bob"});
  CHECK(app.call<&service::move_task>({.id = picked.id, .status = "completed", .claim = "bob"}).stage ==
        core::Stage::done);
}

TEST_CASE("Move.FullColumnsRefuseAndClassesWithTheRightMayEnter") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.columns =
            std::vector<core::Column>{{.name = "backlog", .stage = core::Stage::backlog},
                                      {.name = "todo"},
                                      {.name = "in_progress", .stage = core::Stage::active, .wip_limit = 1},
                                      {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  auto const first = app.create("First", {.status = "todo"}),
             second = app.create("Second", {.status = "todo"});
  auto const urgent = app.create("Urgent", {.status = "todo", .class_ = "expedite"});
  app.move(first.id, "in_progress");
  auto const error = app.error<&service::move_task>({.id = second.id, .status = "in_progress"});
  CHECK(error.code == core::Code::kWipLimitExceeded);
  CHECK(error.message.starts_with("in_progress is full (1/1)"));
  CHECK(app.refusal<&service::edit_task>({.id = second.id, .status = "in_progress"}) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal<&service::create_task>({.title = "x", .status = "in_progress"}) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.move(urgent.id, "in_progress").stage == core::Stage::active);
  CHECK(app.refusal<&service::create_task>({.title = "x", .class_ = "expedite"}) == "CLASS_WIP_EXCEEDED");
  CHECK(app.refusal<&service::edit_task>({.id = second.id, .class_ = "expedite"}) == "CLASS_WIP_EXCEEDED");
  app.move(urgent.id, "done");
  CHECK(app.call<&service::edit_task>({.id = second.id, .class_ = "expedite"}).class_ == "expedite");
}

TEST_CASE("Move.LeavingTheBacklogApprovesAndShelvingTakesItBack") {
  TestApp app;
  auto const task = app.create("Task");
  CHECK_FALSE(task.approved);
  CHECK(app.move(task.id, "todo").approved);
  CHECK_FALSE(app.move(task.id, "backlog").approved);
  auto const edited = app.call<&service::edit_task>({.id = task.id, .title = "Another title"});
  CHECK(edited.status == "backlog");
}

TEST_CASE("Move.BetweenColumnsOfTheBacklogStageApprovesNothing") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.columns = std::vector<core::Column>{{.name = "ideas", .stage = core::Stage::backlog},
                                             {.name = "backlog", .stage = core::Stage::backlog},
                                             {.name = "todo"},
                                             {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  auto const task = app.create("Task", {.status = "ideas"});
  CHECK_FALSE(app.move(task.id, "backlog").approved);
}

TEST_CASE("Move.OrderIsKeptWithinAColumn") {
  TestApp app;
  auto const a = app.create("A", {.status = "todo"}), b = app.create("B", {.status = "todo"});
  auto const c = app.create("C", {.status = "todo"});
  app.call<&service::move_task>({.id = c.id, .status = "todo", .before = a.id});
  CHECK(app.call<&service::pick_task>({.by = "bob"}).id == c.id);
  CHECK(app.call<&service::pick_task>({.by = "bob"}).id == a.id);
  CHECK(app.call<&service::pick_task>({.by = "bob"}).id == b.id);
}

TEST_CASE("Move.IntoTheBlockedColumnBlocksAndOutOfItUnblocks") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  auto const blocked =
      app.call<&service::move_task>({.id = task.id, .status = "blocked", .reason = "no key"});
  CHECK(blocked.blocked);
  CHECK(blocked.block_reason == "no key");
  CHECK_FALSE(app.move(task.id, "todo").blocked);
}

TEST_CASE("Move.TakesReasonsThatCanBeShown") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  auto const seq = app.last_seq();
  for (auto const& reason : {std::string{"a\0b", 3}, std::string{"a\x1b[31mb"}, std::string(65'537, 'x')})
    CHECK(app.refusal<&service::move_task>({.id = task.id, .status = "blocked", .reason = reason}) ==
          "INVALID_INPUT");
  CHECK(app.last_seq() == seq);
}

TEST_CASE("Move.StrictlyBlockedWorkReturnsOnlyWhereItWas") {
  TestApp app;
  app.call<&service::edit_board>({{.workflow = core::Workflow::strict}, "classic"});
  auto const task = app.create("Task", {.status = "todo"});
  app.call<&service::block_task>({.id = task.id, .reason = "no key"});
  CHECK(app.refusal<&service::move_task>({.id = task.id, .status = "in_progress"}) == "ILLEGAL_TRANSITION");
  CHECK(app.call<&service::unblock_task>({.id = task.id}).status == "todo");
}

TEST_CASE("Approve.WaitsForDependenciesAndTheBriefOnStrictBoards") {
  TestApp app("queue");
  app.call<&service::edit_board>({{.require_brief = true}, "queue"});
  auto const first = app.create("First", {.body = "Do it", .status = "ready"});
  auto const task = app.create("Second", {.depends_on = {1}});
  auto const approved = app.call<&service::approve_task>({.id = task.id});
  CHECK(approved.approved);
  CHECK(approved.stage == core::Stage::backlog);
  auto const seq = app.last_seq();
  CHECK(app.call<&service::approve_task>({.id = task.id}).approved);
  CHECK(app.last_seq() == seq);
  app.call<&service::edit_task>({.id = task.id, .body = "How"});
  CHECK(app.get(task.id).stage == core::Stage::backlog);
  app.call<&service::archive_task>({.id = first.id});
  CHECK(app.get(task.id).stage == core::Stage::ready);
}
