#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using core::Stage;
using test::House;
using test::on;

namespace {

core::Board edit(House& house, std::string const& members) {
  return *reflect::read_json<core::Board>(
      house.answer("edit_board", R"({"board":")" + house.board + "\"," + members + "}"));
}
std::string refusal(House& house, std::string const& members) {
  return house.refusal("edit_board", R"({"board":")" + house.board + "\"," + members + "}");
}
std::string names(core::Board const& board) {
  std::string out;
  for (auto const& column : board.columns)
    out += column.name + ":" + std::to_string(column.count.value_or(0)) + " ";
  return out;
}

}  // namespace

TEST_CASE("Columns.ARenamedColumnKeepsItsTasksTheirAgeAndTheirClaims") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  auto const blocked = house.create("Blocked", R"("status":"todo")");
  house.task("block_task", on(blocked.id, R"("reason":"no key")"));
  edit(house, R"("default_status":"todo")");
  house.clock.advance(std::chrono::minutes{5});
  auto const board = edit(house, R"("rename_columns":{"To Do":"queue"})");
  CHECK(names(board) == "backlog:0 queue:1 in_progress:0 blocked:1 done:0 ");
  CHECK(board.default_status == "queue");
  auto const after = house.stored(task.id);
  CHECK(after.status == "queue");
  CHECK(after.state.entered == house.stored(task.id).created);
  CHECK(after.claimed_by == "bob");
  CHECK(house.task("unblock_task", on(blocked.id)).status == "queue");
  CHECK(house.task("pick_task", R"({"by":"eve"})").id == blocked.id);
  CHECK(refusal(house, R"("rename_columns":{"nowhere":"x"})") == "INVALID_STATUS");
  CHECK(refusal(house, R"("rename_columns":{"queue":"Done"})") == "INVALID_INPUT");
}

TEST_CASE("Columns.NoneTakesANameThatAnotherGivesUpInTheSameStep") {
  House house;
  auto const ready = house.create("Ready", R"("status":"todo")");
  house.create("Under way", R"("status":"in_progress")");
  for (auto const* names : {R"({"todo":"in_progress","in_progress":"doing"})",
                            R"({"todo":"In Progress","in_progress":"todo"})", R"({"todo":"done"})"}) {
    auto const refused =
        house.error("edit_board", R"({"board":"classic","remove_columns":["blocked"],"rename_columns":)" +
                                      std::string{names} + "}");
    CHECK(refused.code == core::Code::kInvalidInput);
    CHECK(refused.field == "rename_columns");
    CHECK(refused.message.ends_with("is the name of another column; rename that one first, by itself"));
  }
  CHECK(house.get(ready.id).stage == Stage::ready);
  edit(house, R"("rename_columns":{"in_progress":"doing"})");
  edit(house, R"("rename_columns":{"todo":"in_progress"})");
  CHECK(house.get(ready.id).stage == Stage::ready);
}

TEST_CASE("Columns.ChainsAndAutomationsFollowTheColumnsTheyName") {
  House house;
  edit(house, R"("chains":[{"role":"coder","next":{"title":"QA","status":"In Progress","priority":"high",
    "next_tasks":[{"title":"Ship","status":"todo"}]}}])");
  house.answer("add_automation",
               R"({"name":"m","cron":"@daily","template":{"title":"Plan","status":"in_progress"}})");
  auto board = edit(house, R"("rename_columns":{"in_progress":"doing"},"priorities":["low","top"],
    "remove_columns":["todo"],"move_tasks":{"todo":"backlog"})");
  auto const& next = board.chains.at(0).next;
  CHECK(next.status == "doing");
  CHECK(next.priority.empty());
  CHECK(next.next_tasks.at(0).status == "backlog");
  CHECK(house.answer("get_automation", R"({"id":"m"})").contains(R"("status":"doing")"));
  board = edit(house, R"("remove_columns":["doing"])");
  CHECK(board.chains.at(0).next.status.empty());
  CHECK_FALSE(house.answer("get_automation", R"({"id":"m"})").contains(R"("status":"doing")"));
}

TEST_CASE("Columns.AnotherSpellingInAWholeListIsARename") {
  House house;
  house.create("Task", R"("status":"todo")");
  edit(house,
       R"("columns":[{"name":"backlog","stage":"backlog"},{"name":"To-Do"},{"name":"done","stage":"done"}])");
  CHECK(house.get(1).status == "To-Do");
  CHECK(house.task("pick_task", R"({"by":"bob"})").id == 1);
}

TEST_CASE("Columns.ARemovedColumnNeedsATargetForItsTasks") {
  House house;
  for (int i = 0; i < 3; ++i) house.create("Task", R"("status":"in_progress")");
  CHECK(refusal(house, R"("remove_columns":["in_progress"])") == "INVALID_INPUT");
  CHECK(refusal(house, R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"nowhere"})") ==
        "INVALID_STATUS");
  CHECK(
      refusal(
          house,
          R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"todo"},"wip_limits":{"todo":2})") ==
      "WIP_LIMIT_EXCEEDED");
  auto const board = edit(house, R"("remove_columns":["In Progress"],"move_tasks":{"in-progress":"To Do"})");
  CHECK(names(board) == "backlog:0 todo:3 blocked:0 done:0 ");
  CHECK(house.get(1).stage == Stage::ready);
  CHECK(names(edit(house, R"("remove_columns":["blocked"])")) == "backlog:0 todo:3 done:0 ");
}

TEST_CASE("Columns.TasksOfARemovedReadyColumnStayInTheBacklogTheyAreSentTo") {
  House house;
  for (int i = 0; i < 2; ++i) house.create("Task", R"("status":"todo")");
  edit(house, R"("wip_limits":{"todo":1})");
  CHECK(names(edit(house, R"("remove_columns":["todo"],"move_tasks":{"todo":"backlog"})")) ==
        "backlog:2 in_progress:0 blocked:0 done:0 ");
  CHECK_FALSE(house.get(1).approved);
  CHECK(names(edit(house, R"("add_columns":[{"name":"next","stage":"ready"}])")) ==
        "backlog:2 in_progress:0 blocked:0 next:0 done:0 ");
}

TEST_CASE("Columns.WhatBecomesReadyWhileItsColumnGoesFindsAnotherPlace") {
  House house("queue");
  auto const first = house.create("First", R"("status":"ready","review":"none")");
  auto const waits = house.create("Waits", R"("depends_on":[1])");
  house.task("approve_task", on(waits.id));
  edit(house, R"("remove_columns":["ready"],"move_tasks":{"ready":"completed"})");
  CHECK(house.get(first.id).stage == Stage::done);
  CHECK(house.get(waits.id).status == "completed");
}

TEST_CASE("Columns.TasksThatWaitForEachOtherLeaveTheirColumnTogether") {
  House house;
  house.create("First", R"("status":"todo")");
  auto const waits = house.create("Waits", R"("status":"todo","depends_on":[1])");
  edit(house, R"("remove_columns":["todo"],"move_tasks":{"todo":"done"})");
  auto const after = house.stored(waits.id);
  CHECK(after.stage == Stage::done);
  CHECK(after.state.open_deps == 0);
}

TEST_CASE("Columns.AParentThatCompletesItselfOnTheWayFiresItsChainOnce") {
  House house;
  auto const child = house.create("Child", R"("status":"todo")");
  auto const parent =
      house.create("Parent", R"("status":"todo","autocomplete":true,"next_tasks":[{"title":"After"}])");
  house.task("update_task", on(child.id, "\"parent\":" + std::to_string(parent.id)));
  edit(
      house,
      R"("remove_columns":["todo"],"move_tasks":{"todo":"done"},"add_columns":[{"name":"next","stage":"ready"}])");
  CHECK(house.get(parent.id).stage == Stage::done);
  CHECK(house.snapshot().tasks.size() == 3);
}

TEST_CASE("Columns.AnOrderIsRefusedWithTheWholeList") {
  House house;
  auto const error = [&](std::string const& names) {
    return house.error("edit_board", R"({"board":"classic","order_columns":)" + names + "}").message;
  };
  CHECK(error(R"(["backlog","nowhere"])") ==
        "the board has no column \"nowhere\"; it has: backlog, todo, in_progress, blocked, done");
  CHECK(error(R"(["backlog","Backlog"])") == "\"Backlog\" stands twice in \"order_columns\"");
  CHECK(error(R"(["backlog","done"])") == "\"order_columns\" must name every column; \"todo\" is missing");
  CHECK(house.error("edit_board", R"({"board":"classic","wip_limits":{"todo":-1}})").field == "wip_limits");
}

TEST_CASE("Columns.RemovingAnEndKeepsItsTasksDoneAndFiresNoChain") {
  House house;
  auto const task = house.create("Task", R"("status":"todo")");
  house.move(task.id, "done");
  auto const waits = house.create("Waits", R"("depends_on":[1])");
  house.task("update_task", on(task.id, R"("next_tasks":[{"title":"After"}])"));
  auto const completed = house.get(task.id).completed;
  edit(house, R"("add_columns":[{"name":"finished","stage":"done"}])");
  edit(house, R"("remove_columns":["done"],"move_tasks":{"done":"finished"})");
  CHECK(house.get(task.id).status == "finished");
  CHECK(house.get(task.id).completed == completed);
  CHECK(house.stored(waits.id).state.open_deps == 0);
  CHECK(house.snapshot().tasks.size() == 2);
}

TEST_CASE("Columns.AreAddedAndReordered") {
  House house;
  auto const board = edit(house, R"("add_columns":[{"name":"qa","stage":"review","wip_limit":2}])");
  CHECK(names(board) == "backlog:0 todo:0 in_progress:0 blocked:0 qa:0 done:0 ");
  CHECK(names(edit(house, R"("order_columns":["backlog","todo","qa","in progress","blocked","done"])")) ==
        "backlog:0 todo:0 qa:0 in_progress:0 blocked:0 done:0 ");
  CHECK(refusal(house, R"("order_columns":["backlog"])") == "INVALID_INPUT");
  CHECK(refusal(house, R"("add_columns":[{"name":"QA"}])") == "INVALID_INPUT");
}

TEST_CASE("Columns.AColumnThatBecomesAnEndSatisfiesWhatWaitedForItsTasks") {
  House house;
  house.create("Task", R"("status":"in_progress")");
  auto const waits = house.create("Waits", R"("status":"todo","depends_on":[1])");
  edit(
      house,
      R"("columns":[{"name":"todo"},{"name":"in_progress","stage":"done"}],"move_tasks":{"backlog":"todo","done":"in_progress"})");
  CHECK(house.get(1).stage == Stage::done);
  CHECK(house.get(1).completed);
  CHECK(house.stored(waits.id).state.open_deps == 0);
}

TEST_CASE("Columns.WorkUnderWayIsNotMovedOutOfWork") {
  House house;
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.create("Task", R"("status":"todo")");
  auto const run = house.start("dev");
  CHECK(refusal(house, R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"todo"})") ==
        "CONFLICT");
  edit(house, R"("add_columns":[{"name":"doing","stage":"active"}])");
  edit(house, R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"doing"})");
  CHECK(house.get(1).status == "doing");
  CHECK(house.finish(run).outcome == core::Outcome::succeeded);
  CHECK(house.get(1).stage == Stage::done);
}

TEST_CASE("Columns.ADefaultThatIsNoneIsRefusedByItsOwnName") {
  House house;
  auto const field = [&](std::string const& members) {
    return house.error("edit_board", R"({"board":"classic",)" + members + "}").field;
  };
  CHECK(field(R"("default_status":"x")") == "default_status");
  CHECK(field(R"("default_priority":"x")") == "default_priority");
  CHECK(field(R"("default_class":"x")") == "default_class");
  CHECK(field(R"("trusted":["planner",""])") == "trusted");
}
