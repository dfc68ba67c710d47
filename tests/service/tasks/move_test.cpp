#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using test::House;
using test::on;

TEST_CASE("Move.ChecksStandInTheOrderOfTheContract") {
  House house("flow");
  auto const held = house.create("Held", R"("status":"todo","claim":"bob")");
  house.answer("edit_board", R"({"board":"flow","workflow":"strict"})");
  // Everything is wrong at once; each refusal comes before the next.
  CHECK(house.refusal("move_task", on(99, R"("status":"todo")")) == "TASK_NOT_FOUND");
  CHECK(house.refusal("move_task", on(held.id, R"("status":"nowhere")")) == "INVALID_STATUS");
  CHECK(house.refusal("move_task", on(held.id, R"("status":"todo","epoch":77)")) == "STALE_CLAIM");
  CHECK(house.refusal("move_task", on(held.id, R"("status":"todo")")) == "TASK_CLAIMED");
  auto const seq = house.last_seq();
  CHECK(house.task("move_task", on(held.id, R"("status":"To Do","claim":"bob")")).status == "todo");
  CHECK(house.last_seq() == seq);
  CHECK(house.refusal("move_task", on(held.id, R"("status":"review","claim":"bob")")) ==
        "ILLEGAL_TRANSITION");
}

TEST_CASE("Move.AColumnThatRequiresAClaimLetsNobodyInWithoutOne") {
  House house("flow");
  auto const task = house.create("Task", R"("status":"todo")");
  CHECK(house.refusal("move_task", on(task.id, R"("status":"in-progress")")) == "CLAIM_REQUIRED");
  auto const moved = house.task("move_task", on(task.id, R"("status":"in-progress","claim":"bob")"));
  CHECK(moved.claimed_by == "bob");
  CHECK(moved.stage == core::Stage::active);
}

TEST_CASE("Move.KeepsASelfReportedClaim") {
  House house("flow");
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  auto const moved = house.task("move_task", on(task.id, R"("status":"done","claim":"bob")"));
  CHECK(moved.claimed_by == "bob");
  CHECK(moved.epoch == task.epoch);
}

TEST_CASE("Move.IntoTheArchiveEndsAClaim") {
  House house("flow");
  auto const open = house.create("Open", R"("status":"todo","claim":"bob")");
  CHECK(house.task("move_task", on(open.id, R"("status":"archived","claim":"bob")")).claimed_by.empty());
  auto const done = house.create("Done", R"("status":"todo")");
  house.task("move_task", on(done.id, R"("status":"done","claim":"bob")"));
  CHECK(house.refusal("move_task", on(done.id, R"("status":"archived","claim":"ann")")) == "TASK_CLAIMED");
  CHECK(house.task("move_task", on(done.id, R"("status":"archived","claim":"bob")")).claimed_by.empty());
  auto const edited = house.create("Edited", R"("status":"todo","claim":"bob")");
  CHECK(house.task("update_task", on(edited.id, R"("status":"archived","claim":"bob")")).claimed_by.empty());
}

TEST_CASE("Move.OutOfTheArchiveKeepsTheTimeItWasDone") {
  House house("flow");
  auto const task = house.create("Task", R"("status":"done")");
  auto const done = house.clock.now();
  house.clock.advance(std::chrono::hours{1});
  house.move(task.id, "archived");
  CHECK(house.move(task.id, "done").completed == done);
  house.move(task.id, "todo");
  CHECK(house.move(task.id, "done").completed == house.clock.now());
}

TEST_CASE("Move.BetweenTheEndsTakesNoClaim") {
  House house("flow");
  auto const task = house.create("Task", R"("status":"done")");
  CHECK(house.task("move_task", on(task.id, R"("status":"archived","claim":"bob")")).claimed_by.empty());
  CHECK(house.task("move_task", on(task.id, R"("status":"done","claim":"bob")")).claimed_by.empty());
  CHECK(house.task("move_task", on(task.id, R"("status":"todo","claim":"bob")")).claimed_by == "bob");
}

TEST_CASE("Move.ForceOverridesAClaimAndIsRecorded") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.task("move_task", on(task.id, R"("status":"done","force":true)"));
  CHECK(house.events().back().data.find("\"forced\":\"bob\"") != std::string::npos);
}

TEST_CASE("Move.StrictBoardsKeepToTheTableAndNameTheLegalTargets") {
  House house("queue");
  auto const task = house.create("Task");
  auto const error = house.error("move_task", on(task.id, R"("status":"completed")"));
  CHECK(error.code == core::Code::kIllegalTransition);
  CHECK(error.message.find("ready, blocked, archived") != std::string::npos);
}

TEST_CASE("Move.NobodyWalksAroundTheVerdict") {
  House house("queue");
  house.create("Task", R"("status":"ready")");
  auto const picked = house.task("pick_task", R"({"by":"bob"})");
  house.task("start_task", on(picked.id, R"("claim":"bob")"));
  CHECK(house.refusal("move_task", on(picked.id, R"("status":"completed","claim":"bob")")) ==
        "ILLEGAL_TRANSITION");
  house.task("update_task", on(picked.id, R"("review":"none","claim":"bob")"));
  CHECK(house.task("move_task", on(picked.id, R"("status":"completed","claim":"bob")")).stage ==
        core::Stage::done);
}

TEST_CASE("Move.FullColumnsRefuseAndClassesWithTheRightMayEnter") {
  House house;
  house.answer("edit_board",
               R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},{"name":"todo"},
      {"name":"in_progress","stage":"active","wip_limit":1},{"name":"done","stage":"done"}]})");
  auto const first = house.create("First", R"("status":"todo")"),
             second = house.create("Second", R"("status":"todo")");
  auto const urgent = house.create("Urgent", R"("status":"todo","class":"expedite")");
  house.move(first.id, "in_progress");
  auto const error = house.error("move_task", on(second.id, R"("status":"in_progress")"));
  CHECK(error.code == core::Code::kWipLimitExceeded);
  CHECK(error.message.starts_with("in_progress is full (1/1)"));
  CHECK(house.refusal("update_task", on(second.id, R"("status":"in_progress")")) == "WIP_LIMIT_EXCEEDED");
  CHECK(house.refusal("create_task", R"({"title":"x","status":"in_progress"})") == "WIP_LIMIT_EXCEEDED");
  CHECK(house.move(urgent.id, "in_progress").stage == core::Stage::active);
  CHECK(house.refusal("create_task", R"({"title":"x","class":"expedite"})") == "CLASS_WIP_EXCEEDED");
  CHECK(house.refusal("update_task", on(second.id, R"("class":"expedite")")) == "CLASS_WIP_EXCEEDED");
  house.move(urgent.id, "done");
  CHECK(house.task("update_task", on(second.id, R"("class":"expedite")")).class_ == "expedite");
}

TEST_CASE("Move.LeavingTheBacklogApprovesAndShelvingTakesItBack") {
  House house;
  auto const task = house.create("Task");
  CHECK_FALSE(task.approved);
  CHECK(house.move(task.id, "todo").approved);
  CHECK_FALSE(house.move(task.id, "backlog").approved);
  auto const edited = house.task("update_task", on(task.id, R"("title":"Another title")"));
  CHECK(edited.status == "backlog");
}

TEST_CASE("Move.BetweenColumnsOfTheBacklogStageApprovesNothing") {
  House house;
  house.answer("edit_board", R"({"board":"classic","columns":[{"name":"ideas","stage":"backlog"},
      {"name":"backlog","stage":"backlog"},{"name":"todo"},{"name":"done","stage":"done"}]})");
  auto const task = house.create("Task", R"("status":"ideas")");
  CHECK_FALSE(house.move(task.id, "backlog").approved);
}

TEST_CASE("Move.OrderIsKeptWithinAColumn") {
  House house;
  auto const a = house.create("A", R"("status":"todo")"), b = house.create("B", R"("status":"todo")");
  auto const c = house.create("C", R"("status":"todo")");
  house.task("move_task", on(c.id, R"("status":"todo","before":)" + std::to_string(a.id)));
  CHECK(house.task("pick_task", R"({"by":"bob"})").id == c.id);
  CHECK(house.task("pick_task", R"({"by":"bob"})").id == a.id);
  CHECK(house.task("pick_task", R"({"by":"bob"})").id == b.id);
}

TEST_CASE("Move.IntoTheBlockedColumnBlocksAndOutOfItUnblocks") {
  House house;
  auto const task = house.create("Task", R"("status":"todo")");
  auto const blocked = house.task("move_task", on(task.id, R"("status":"blocked","reason":"no key")"));
  CHECK(blocked.blocked);
  CHECK(blocked.block_reason == "no key");
  CHECK_FALSE(house.move(task.id, "todo").blocked);
}

TEST_CASE("Move.TakesReasonsThatCanBeShown") {
  House house;
  auto const task = house.create("Task", R"("status":"todo")");
  auto const seq = house.last_seq();
  for (auto const& reason :
       {std::string{R"(a\u0000b)"}, std::string{R"(a\u001b[31mb)"}, std::string(65'537, 'x')})
    CHECK(house.refusal("move_task", on(task.id, R"("status":"blocked","reason":")" + reason + "\"")) ==
          "INVALID_INPUT");
  CHECK(house.last_seq() == seq);
}

TEST_CASE("Move.StrictlyBlockedWorkReturnsOnlyWhereItWas") {
  House house;
  house.answer("edit_board", R"({"board":"classic","workflow":"strict"})");
  auto const task = house.create("Task", R"("status":"todo")");
  house.task("block_task", on(task.id, R"("reason":"no key")"));
  CHECK(house.refusal("move_task", on(task.id, R"("status":"in_progress")")) == "ILLEGAL_TRANSITION");
  CHECK(house.task("unblock_task", on(task.id)).status == "todo");
}

TEST_CASE("Approve.WaitsForDependenciesAndTheBriefOnStrictBoards") {
  House house("queue");
  house.answer("edit_board", R"({"board":"queue","require_brief":true})");
  auto const first = house.create("First", R"("body":"Do it","status":"ready")");
  auto const task = house.create("Second", R"("depends_on":[1])");
  auto const approved = house.task("approve_task", on(task.id));
  CHECK(approved.approved);
  CHECK(approved.stage == core::Stage::backlog);
  auto const seq = house.last_seq();
  CHECK(house.task("approve_task", on(task.id)).approved);
  CHECK(house.last_seq() == seq);
  house.task("update_task", on(task.id, R"("body":"How")"));
  CHECK(house.get(task.id).stage == core::Stage::backlog);
  house.task("archive_task", on(first.id));
  CHECK(house.get(task.id).stage == core::Stage::ready);
}
