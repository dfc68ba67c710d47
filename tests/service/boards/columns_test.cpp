#include <doctest/doctest.h>

#include "service/automations/automations.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::Stage;
using test::TestApp;

namespace {

core::Board edit_columns(TestApp& app, std::string const& members) {
  return *reflect::read_json<core::Board>(
      app.answer("edit_board", R"({"board":")" + app.board + "\"," + members + "}"));
}
std::string refusal(TestApp& app, std::string const& members) {
  return app.refusal("edit_board", R"({"board":")" + app.board + "\"," + members + "}");
}
std::string column_names(core::Board const& board) {
  std::string out;
  for (auto const& column : board.columns)
    out += column.name + ":" + std::to_string(column.count.value_or(0)) + " ";
  return out;
}

}  // namespace

TEST_CASE("Columns.ARenamedColumnKeepsItsTasksTheirAgeAndTheirClaims") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo", .claim = "bob"});
  auto const blocked = app.create("Blocked", {.status = "todo"});
  app.call<&service::block_task>({.id = blocked.id, .reason = "no key"});
  edit_columns(app, R"("default_status":"todo")");
  app.clock.advance(std::chrono::minutes{5});
  auto const board = edit_columns(app, R"("rename_columns":{"To Do":"queue"})");
  CHECK(column_names(board) == "backlog:0 queue:1 in_progress:0 blocked:1 done:0 ");
  CHECK(board.default_status == "queue");
  auto const after = app.stored(task.id);
  CHECK(after.status == "queue");
  CHECK(after.state.entered == app.stored(task.id).created);
  CHECK(after.claimed_by == "bob");
  CHECK(app.call<&service::unblock_task>({.id = blocked.id}).status == "queue");
  CHECK(app.call<&service::pick_task>({.by = "eve"}).id == blocked.id);
  CHECK(refusal(app, R"("rename_columns":{"nowhere":"x"})") == "INVALID_STATUS");
  CHECK(refusal(app, R"("rename_columns":{"queue":"Done"})") == "INVALID_INPUT");
}

TEST_CASE("Columns.NoneTakesANameThatAnotherGivesUpInTheSameStep") {
  TestApp app;
  auto const ready = app.create("Ready", {.status = "todo"});
  app.create("Under way", {.status = "in_progress"});
  for (auto const* column_names : {R"({"todo":"in_progress","in_progress":"doing"})",
                                   R"({"todo":"In Progress","in_progress":"todo"})", R"({"todo":"done"})"}) {
    auto const refused =
        app.error("edit_board", R"({"board":"classic","remove_columns":["blocked"],"rename_columns":)" +
                                    std::string{column_names} + "}");
    CHECK(refused.code == core::Code::kInvalidInput);
    CHECK(refused.field == "rename_columns");
    CHECK(refused.message.ends_with("is the name of another column; rename that one first, by itself"));
  }
  CHECK(app.get(ready.id).stage == Stage::ready);
  edit_columns(app, R"("rename_columns":{"in_progress":"doing"})");
  edit_columns(app, R"("rename_columns":{"todo":"in_progress"})");
  CHECK(app.get(ready.id).stage == Stage::ready);
}

TEST_CASE("Columns.ChainsAndAutomationsFollowTheColumnsTheyName") {
  TestApp app;
  edit_columns(app,
               R"("chains":[{"role":"coder","next":{"title":"QA","status":"In Progress","priority":"high",
    "next_tasks":[{"title":"Ship","status":"todo"}]}}])");
  app.call<&service::add_automation>(
      {.name = "m", .cron = "@daily", .template_ = {.title = "Plan", .status = "in_progress"}});
  auto board = edit_columns(app, R"("rename_columns":{"in_progress":"doing"},"priorities":["low","top"],
    "remove_columns":["todo"],"move_tasks":{"todo":"backlog"})");
  auto const& next = board.chains.at(0).next;
  CHECK(next.status == "doing");
  CHECK(next.priority.empty());
  CHECK(next.next_tasks.at(0).status == "backlog");
  CHECK(app.answer<&service::get_automation>({.id = {"m"}}).contains(R"("status":"doing")"));
  board = edit_columns(app, R"("remove_columns":["doing"])");
  CHECK(board.chains.at(0).next.status.empty());
  CHECK_FALSE(app.answer<&service::get_automation>({.id = {"m"}}).contains(R"("status":"doing")"));
}

TEST_CASE("Columns.AnotherSpellingInAWholeListIsARename") {
  TestApp app;
  app.create("Task", {.status = "todo"});
  edit_columns(
      app,
      R"("columns":[{"name":"backlog","stage":"backlog"},{"name":"To-Do"},{"name":"done","stage":"done"}])");
  CHECK(app.get(1).status == "To-Do");
  CHECK(app.call<&service::pick_task>({.by = "bob"}).id == 1);
}

TEST_CASE("Columns.ARemovedColumnNeedsATargetForItsTasks") {
  TestApp app;
  for (int i = 0; i < 3; ++i) app.create("Task", {.status = "in_progress"});
  CHECK(refusal(app, R"("remove_columns":["in_progress"])") == "INVALID_INPUT");
  CHECK(refusal(app, R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"nowhere"})") ==
        "INVALID_STATUS");
  CHECK(
      refusal(
          app,
          R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"todo"},"wip_limits":{"todo":2})") ==
      "WIP_LIMIT_EXCEEDED");
  auto const board =
      edit_columns(app, R"("remove_columns":["In Progress"],"move_tasks":{"in-progress":"To Do"})");
  CHECK(column_names(board) == "backlog:0 todo:3 blocked:0 done:0 ");
  CHECK(app.get(1).stage == Stage::ready);
  CHECK(column_names(edit_columns(app, R"("remove_columns":["blocked"])")) == "backlog:0 todo:3 done:0 ");
}

TEST_CASE("Columns.TasksOfARemovedReadyColumnStayInTheBacklogTheyAreSentTo") {
  TestApp app;
  for (int i = 0; i < 2; ++i) app.create("Task", {.status = "todo"});
  edit_columns(app, R"("wip_limits":{"todo":1})");
  CHECK(column_names(edit_columns(app, R"("remove_columns":["todo"],"move_tasks":{"todo":"backlog"})")) ==
        "backlog:2 in_progress:0 blocked:0 done:0 ");
  CHECK_FALSE(app.get(1).approved);
  CHECK(column_names(edit_columns(app, R"("add_columns":[{"name":"next","stage":"ready"}])")) ==
        "backlog:2 in_progress:0 blocked:0 next:0 done:0 ");
}

TEST_CASE("Columns.WhatBecomesReadyWhileItsColumnGoesFindsAnotherPlace") {
  TestApp app("queue");
  auto const first = app.create("First", {.status = "ready", .review = core::ReviewRule::none});
  auto const waits = app.create("Waits", {.depends_on = {1}});
  app.call<&service::approve_task>({.id = waits.id});
  edit_columns(app, R"("remove_columns":["ready"],"move_tasks":{"ready":"completed"})");
  CHECK(app.get(first.id).stage == Stage::done);
  CHECK(app.get(waits.id).status == "completed");
}

TEST_CASE("Columns.TasksThatWaitForEachOtherLeaveTheirColumnTogether") {
  TestApp app;
  app.create("First", {.status = "todo"});
  auto const waits = app.create("Waits", {.status = "todo", .depends_on = {1}});
  edit_columns(app, R"("remove_columns":["todo"],"move_tasks":{"todo":"done"})");
  auto const after = app.stored(waits.id);
  CHECK(after.stage == Stage::done);
  CHECK(after.state.open_deps == 0);
}

TEST_CASE("Columns.AParentThatCompletesItselfOnTheWayFiresItsChainOnce") {
  TestApp app;
  auto const child = app.create("Child", {.status = "todo"});
  auto const parent =
      app.create("Parent", {.status = "todo", .next_tasks = {{.title = "After"}}, .autocomplete = true});
  app.call<&service::edit_task>({.id = child.id, .parent = parent.id});
  edit_columns(
      app,
      R"("remove_columns":["todo"],"move_tasks":{"todo":"done"},"add_columns":[{"name":"next","stage":"ready"}])");
  CHECK(app.get(parent.id).stage == Stage::done);
  CHECK(app.snapshot().tasks.size() == 3);
}

TEST_CASE("Columns.AnOrderIsRefusedWithTheWholeList") {
  TestApp app;
  auto const error = [&](std::string const& column_names) {
    return app.error("edit_board", R"({"board":"classic","order_columns":)" + column_names + "}").message;
  };
  CHECK(error(R"(["backlog","nowhere"])") ==
        "the board has no column \"nowhere\"; it has: backlog, todo, in_progress, blocked, done");
  CHECK(error(R"(["backlog","Backlog"])") == "\"Backlog\" stands twice in \"order_columns\"");
  CHECK(error(R"(["backlog","done"])") == "\"order_columns\" must name every column; \"todo\" is missing");
  CHECK(app.error<&service::edit_board>(
               test::board_edit("classic", [](auto& edit) { edit.wip_limits = {{"todo", -1}}; }))
            .field == "wip_limits");
}

TEST_CASE("Columns.RemovingAnEndKeepsItsTasksDoneAndFiresNoChain") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  app.move(task.id, "done");
  auto const waits = app.create("Waits", {.depends_on = {1}});
  app.call<&service::edit_task>(
      {.id = task.id, .next_tasks = std::vector<core::NextTask>{{.title = "After"}}});
  auto const completed = app.get(task.id).completed;
  edit_columns(app, R"("add_columns":[{"name":"finished","stage":"done"}])");
  edit_columns(app, R"("remove_columns":["done"],"move_tasks":{"done":"finished"})");
  CHECK(app.get(task.id).status == "finished");
  CHECK(app.get(task.id).completed == completed);
  CHECK(app.stored(waits.id).state.open_deps == 0);
  CHECK(app.snapshot().tasks.size() == 2);
}

TEST_CASE("Columns.AreAddedAndReordered") {
  TestApp app;
  auto const board = edit_columns(app, R"("add_columns":[{"name":"qa","stage":"review","wip_limit":2}])");
  CHECK(column_names(board) == "backlog:0 todo:0 in_progress:0 blocked:0 qa:0 done:0 ");
  CHECK(column_names(
            edit_columns(app, R"("order_columns":["backlog","todo","qa","in progress","blocked","done"])")) ==
        "backlog:0 todo:0 qa:0 in_progress:0 blocked:0 done:0 ");
  CHECK(refusal(app, R"("order_columns":["backlog"])") == "INVALID_INPUT");
  CHECK(refusal(app, R"("add_columns":[{"name":"QA"}])") == "INVALID_INPUT");
}

TEST_CASE("Columns.AColumnThatBecomesAnEndSatisfiesWhatWaitedForItsTasks") {
  TestApp app;
  app.create("Task", {.status = "in_progress"});
  auto const waits = app.create("Waits", {.status = "todo", .depends_on = {1}});
  edit_columns(
      app,
      R"("columns":[{"name":"todo"},{"name":"in_progress","stage":"done"}],"move_tasks":{"backlog":"todo","done":"in_progress"})");
  CHECK(app.get(1).stage == Stage::done);
  CHECK(app.get(1).completed);
  CHECK(app.stored(waits.id).state.open_deps == 0);
}

TEST_CASE("Columns.WorkUnderWayIsNotMovedOutOfWork") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  auto const run = app.start("dev");
  CHECK(refusal(app, R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"todo"})") ==
        "CONFLICT");
  edit_columns(app, R"("add_columns":[{"name":"doing","stage":"active"}])");
  edit_columns(app, R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"doing"})");
  CHECK(app.get(1).status == "doing");
  CHECK(app.finish(run).outcome == core::Outcome::succeeded);
  CHECK(app.get(1).stage == Stage::done);
}

TEST_CASE("Columns.ADefaultThatIsNoneIsRefusedByItsOwnName") {
  TestApp app;
  auto const field = [&](std::string const& members) {
    return app.error("edit_board", R"({"board":"classic",)" + members + "}").field;
  };
  CHECK(field(R"("default_status":"x")") == "default_status");
  CHECK(field(R"("default_priority":"x")") == "default_priority");
  CHECK(field(R"("default_class":"x")") == "default_class");
  CHECK(field(R"("trusted":["planner",""])") == "trusted");
}
