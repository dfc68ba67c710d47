#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using test::on;
using test::TestApp;

TEST_CASE("Move.ChecksStandInTheOrderOfTheContract") {
  TestApp app("flow");
  auto const held = app.create("Held", R"("status":"todo","claim":"bob")");
  app.answer("edit_board", R"({"board":"flow","workflow":"strict"})");
  // Everything is wrong at once; each refusal comes before the next.
  CHECK(app.refusal("move_task", on(99, R"("status":"todo")")) == "TASK_NOT_FOUND");
  CHECK(app.refusal("move_task", on(held.id, R"("status":"nowhere")")) == "INVALID_STATUS");
  CHECK(app.refusal("move_task", on(held.id, R"("status":"todo","epoch":77)")) == "STALE_CLAIM");
  CHECK(app.refusal("move_task", on(held.id, R"("status":"todo")")) == "TASK_CLAIMED");
  auto const seq = app.last_seq();
  CHECK(app.task("move_task", on(held.id, R"("status":"To Do","claim":"bob")")).status == "todo");
  CHECK(app.last_seq() == seq);
  CHECK(app.refusal("move_task", on(held.id, R"("status":"review","claim":"bob")")) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Move.AColumnThatRequiresAClaimLetsNobodyInWithoutOne") {
  TestApp app("flow");
  auto const task = app.create("Task", R"("status":"todo")");
  CHECK(app.refusal("move_task", on(task.id, R"("status":"in-progress")")) == "CLAIM_REQUIRED");
  auto const moved = app.task("move_task", on(task.id, R"("status":"in-progress","claim":"bob")"));
  CHECK(moved.claimed_by == "bob");
  CHECK(moved.stage == core::Stage::active);
}

TEST_CASE("Move.KeepsASelfReportedClaim") {
  TestApp app("flow");
  auto const task = app.create("Task", R"("status":"todo","claim":"bob")");
  auto const moved = app.task("move_task", on(task.id, R"("status":"done","claim":"bob")"));
  CHECK(moved.claimed_by == "bob");
  CHECK(moved.epoch == task.epoch);
}

TEST_CASE("Move.IntoTheArchiveEndsAClaim") {
  TestApp app("flow");
  auto const open = app.create("Open", R"("status":"todo","claim":"bob")");
  CHECK(app.task("move_task", on(open.id, R"("status":"archived","claim":"bob")")).claimed_by.empty());
  auto const done = app.create("Done", R"("status":"todo")");
  app.task("move_task", on(done.id, R"("status":"done","claim":"bob")"));
  CHECK(app.refusal("move_task", on(done.id, R"("status":"archived","claim":"ann")")) == "TASK_CLAIMED");
  CHECK(app.task("move_task", on(done.id, R"("status":"archived","claim":"bob")")).claimed_by.empty());
  auto const edited = app.create("Edited", R"("status":"todo","claim":"bob")");
  CHECK(app.task("update_task", on(edited.id, R"("status":"archived","claim":"bob")")).claimed_by.empty());
}

TEST_CASE("Move.OutOfTheArchiveKeepsTheTimeItWasDone") {
  TestApp app("flow");
  auto const task = app.create("Task", R"("status":"done")");
  auto const done = app.clock.now();
  app.clock.advance(std::chrono::hours{1});
  app.move(task.id, "archived");
  CHECK(app.move(task.id, "done").completed == done);
  app.move(task.id, "todo");
  CHECK(app.move(task.id, "done").completed == app.clock.now());
}

TEST_CASE("Move.BetweenTheEndsTakesNoClaim") {
  TestApp app("flow");
  auto const task = app.create("Task", R"("status":"done")");
  CHECK(app.task("move_task", on(task.id, R"("status":"archived","claim":"bob")")).claimed_by.empty());
  CHECK(app.task("move_task", on(task.id, R"("status":"done","claim":"bob")")).claimed_by.empty());
  CHECK(app.task("move_task", on(task.id, R"("status":"todo","claim":"bob")")).claimed_by == "bob");
}

TEST_CASE("Move.ForceOverridesAClaimAndIsRecorded") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo","claim":"bob")");
  app.task("move_task", on(task.id, R"("status":"done","force":true)"));
  CHECK(app.events().back().data.find("\"forced\":\"bob\"") != std::string::npos);
}

TEST_CASE("Move.StrictBoardsKeepToTheTableAndNameTheLegalTargets") {
  TestApp app("queue");
  auto const task = app.create("Task");
  auto const error = app.error("move_task", on(task.id, R"("status":"completed")"));
  CHECK(error.code == core::Code::kIllegalTransition);
  CHECK(error.message.find("ready, blocked, archived") != std::string::npos);
}

TEST_CASE("Move.NobodyWalksAroundTheVerdict") {
  TestApp app("queue");
  app.create("Task", R"("status":"ready")");
  auto const picked = app.task("pick_task", R"({"by":"bob"})");
  app.task("start_task", on(picked.id, R"("claim":"bob")"));
  CHECK(app.refusal("move_task", on(picked.id, R"("status":"completed","claim":"bob")")) ==
        "ILLEGAL_TRANSITION");
  app.task("update_task", on(picked.id, R"("review":"none","claim":"bob")"));
  CHECK(app.task("move_task", on(picked.id, R"("status":"completed","claim":"bob")")).stage ==
        core::Stage::done);
}

TEST_CASE("Move.FullColumnsRefuseAndClassesWithTheRightMayEnter") {
  TestApp app;
  app.answer("edit_board",
             R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},{"name":"todo"},
      {"name":"in_progress","stage":"active","wip_limit":1},{"name":"done","stage":"done"}]})");
  auto const first = app.create("First", R"("status":"todo")"),
             second = app.create("Second", R"("status":"todo")");
  auto const urgent = app.create("Urgent", R"("status":"todo","class":"expedite")");
  app.move(first.id, "in_progress");
  auto const error = app.error("move_task", on(second.id, R"("status":"in_progress")"));
  CHECK(error.code == core::Code::kWipLimitExceeded);
  CHECK(error.message.starts_with("in_progress is full (1/1)"));
  CHECK(app.refusal("update_task", on(second.id, R"("status":"in_progress")")) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal("create_task", R"({"title":"x","status":"in_progress"})") == "WIP_LIMIT_EXCEEDED");
  CHECK(app.move(urgent.id, "in_progress").stage == core::Stage::active);
  CHECK(app.refusal("create_task", R"({"title":"x","class":"expedite"})") == "CLASS_WIP_EXCEEDED");
  CHECK(app.refusal("update_task", on(second.id, R"("class":"expedite")")) == "CLASS_WIP_EXCEEDED");
  app.move(urgent.id, "done");
  CHECK(app.task("update_task", on(second.id, R"("class":"expedite")")).class_ == "expedite");
}

TEST_CASE("Move.LeavingTheBacklogApprovesAndShelvingTakesItBack") {
  TestApp app;
  auto const task = app.create("Task");
  CHECK_FALSE(task.approved);
  CHECK(app.move(task.id, "todo").approved);
  CHECK_FALSE(app.move(task.id, "backlog").approved);
  auto const edited = app.task("update_task", on(task.id, R"("title":"Another title")"));
  CHECK(edited.status == "backlog");
}

TEST_CASE("Move.BetweenColumnsOfTheBacklogStageApprovesNothing") {
  TestApp app;
  app.answer("edit_board", R"({"board":"classic","columns":[{"name":"ideas","stage":"backlog"},
      {"name":"backlog","stage":"backlog"},{"name":"todo"},{"name":"done","stage":"done"}]})");
  auto const task = app.create("Task", R"("status":"ideas")");
  CHECK_FALSE(app.move(task.id, "backlog").approved);
}

TEST_CASE("Move.OrderIsKeptWithinAColumn") {
  TestApp app;
  auto const a = app.create("A", R"("status":"todo")"), b = app.create("B", R"("status":"todo")");
  auto const c = app.create("C", R"("status":"todo")");
  app.task("move_task", on(c.id, R"("status":"todo","before":)" + std::to_string(a.id)));
  CHECK(app.task("pick_task", R"({"by":"bob"})").id == c.id);
  CHECK(app.task("pick_task", R"({"by":"bob"})").id == a.id);
  CHECK(app.task("pick_task", R"({"by":"bob"})").id == b.id);
}

TEST_CASE("Move.IntoTheBlockedColumnBlocksAndOutOfItUnblocks") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo")");
  auto const blocked = app.task("move_task", on(task.id, R"("status":"blocked","reason":"no key")"));
  CHECK(blocked.blocked);
  CHECK(blocked.block_reason == "no key");
  CHECK_FALSE(app.move(task.id, "todo").blocked);
}

TEST_CASE("Move.TakesReasonsThatCanBeShown") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo")");
  auto const seq = app.last_seq();
  for (auto const& reason :
       {std::string{R"(a\u0000b)"}, std::string{R"(a\u001b[31mb)"}, std::string(65'537, 'x')})
    CHECK(app.refusal("move_task", on(task.id, R"("status":"blocked","reason":")" + reason + "\"")) ==
          "INVALID_INPUT");
  CHECK(app.last_seq() == seq);
}

TEST_CASE("Move.StrictlyBlockedWorkReturnsOnlyWhereItWas") {
  TestApp app;
  app.answer("edit_board", R"({"board":"classic","workflow":"strict"})");
  auto const task = app.create("Task", R"("status":"todo")");
  app.task("block_task", on(task.id, R"("reason":"no key")"));
  CHECK(app.refusal("move_task", on(task.id, R"("status":"in_progress")")) == "ILLEGAL_TRANSITION");
  CHECK(app.task("unblock_task", on(task.id)).status == "todo");
}

TEST_CASE("Approve.WaitsForDependenciesAndTheBriefOnStrictBoards") {
  TestApp app("queue");
  app.answer("edit_board", R"({"board":"queue","require_brief":true})");
  auto const first = app.create("First", R"("body":"Do it","status":"ready")");
  auto const task = app.create("Second", R"("depends_on":[1])");
  auto const approved = app.task("approve_task", on(task.id));
  CHECK(approved.approved);
  CHECK(approved.stage == core::Stage::backlog);
  auto const seq = app.last_seq();
  CHECK(app.task("approve_task", on(task.id)).approved);
  CHECK(app.last_seq() == seq);
  app.task("update_task", on(task.id, R"("body":"How")"));
  CHECK(app.get(task.id).stage == core::Stage::backlog);
  app.task("archive_task", on(first.id));
  CHECK(app.get(task.id).stage == core::Stage::ready);
}
