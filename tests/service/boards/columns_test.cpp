#include <doctest/doctest.h>

#include "service/automations/automations.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::Stage;
using test::board_edit;
using test::TestApp;

namespace {

core::Board edit_columns(TestApp& app, auto const& fill_in) {
  return app.call<&service::edit_board>(board_edit(app.board, fill_in));
}
std::string refusal_of_edit(TestApp& app, auto const& fill_in) {
  return app.refusal<&service::edit_board>(board_edit(app.board, fill_in));
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
  edit_columns(app, [](auto& edit) { edit.default_status = "todo"; });
  app.clock.advance(std::chrono::minutes{5});
  auto const board = edit_columns(app, [](auto& edit) { edit.rename_columns = {{"To Do", "queue"}}; });
  CHECK(column_names(board) == "backlog:0 queue:1 in_progress:0 blocked:1 done:0 ");
  CHECK(board.default_status == "queue");
  auto const after = app.stored(task.id);
  CHECK(after.status == "queue");
  CHECK(after.state.entered == app.stored(task.id).created);
  CHECK(after.claimed_by == "bob");
  CHECK(app.call<&service::unblock_task>({.id = blocked.id}).status == "queue");
  CHECK(app.call<&service::pick_task>({.by = "eve"}).id == blocked.id);
  CHECK(refusal_of_edit(app, [](auto& edit) { edit.rename_columns = {{"nowhere", "x"}}; }) ==
        "INVALID_STATUS");
  CHECK(refusal_of_edit(app, [](auto& edit) { edit.rename_columns = {{"queue", "Done"}}; }) ==
        "INVALID_INPUT");
}

TEST_CASE("Columns.NoneTakesANameThatAnotherGivesUpInTheSameStep") {
  TestApp app;
  auto const ready = app.create("Ready", {.status = "todo"});
  app.create("Under way", {.status = "in_progress"});
  using NewNames = std::map<std::string, std::string>;
  for (auto const& new_names :
       {NewNames{{"todo", "in_progress"}, {"in_progress", "doing"}},
        NewNames{{"todo", "In Progress"}, {"in_progress", "todo"}}, NewNames{{"todo", "done"}}}) {
    auto const refused = app.error<&service::edit_board>(board_edit("classic", [&](auto& edit) {
      edit.remove_columns = {"blocked"};
      edit.rename_columns = new_names;
    }));
    CHECK(refused.code == core::Code::kInvalidInput);
    CHECK(refused.field == "rename_columns");
    CHECK(refused.message.ends_with("is the name of another column; rename that one first, by itself"));
  }
  CHECK(app.get(ready.id).stage == Stage::ready);
  edit_columns(app, [](auto& edit) { edit.rename_columns = {{"in_progress", "doing"}}; });
  edit_columns(app, [](auto& edit) { edit.rename_columns = {{"todo", "in_progress"}}; });
  CHECK(app.get(ready.id).stage == Stage::ready);
}

TEST_CASE("Columns.ChainsAndAutomationsFollowTheColumnsTheyName") {
  TestApp app;
  edit_columns(app, [](auto& edit) {
    edit.chains =
        std::vector<core::ChainRule>{{.role = "coder",
                                      .next = {.title = "QA",
                                               .priority = "high",
                                               .status = "In Progress",
                                               .next_tasks = {{.title = "Ship", .status = "todo"}}}}};
  });
  app.call<&service::add_automation>(
      {.name = "m", .cron = "@daily", .template_ = {.title = "Plan", .status = "in_progress"}});
  auto board = edit_columns(app, [](auto& edit) {
    edit.rename_columns = {{"in_progress", "doing"}};
    edit.priorities = std::vector<std::string>{"low", "top"};
    edit.remove_columns = {"todo"};
    edit.move_tasks = {{"todo", "backlog"}};
  });
  auto const& next = board.chains.at(0).next;
  CHECK(next.status == "doing");
  CHECK(next.priority.empty());
  CHECK(next.next_tasks.at(0).status == "backlog");
  CHECK(app.answer<&service::get_automation>({.id = {"m"}}).contains(R"("status":"doing")"));
  board = edit_columns(app, [](auto& edit) { edit.remove_columns = {"doing"}; });
  CHECK(board.chains.at(0).next.status.empty());
  CHECK_FALSE(app.answer<&service::get_automation>({.id = {"m"}}).contains(R"("status":"doing")"));
}

TEST_CASE("Columns.AnotherSpellingInAWholeListIsARename") {
  TestApp app;
  app.create("Task", {.status = "todo"});
  edit_columns(app, [](auto& edit) {
    edit.columns = std::vector<core::Column>{{.name = "backlog", .stage = core::Stage::backlog},
                                             {.name = "To-Do"},
                                             {.name = "done", .stage = core::Stage::done}};
  });
  CHECK(app.get(1).status == "To-Do");
  CHECK(app.call<&service::pick_task>({.by = "bob"}).id == 1);
}

TEST_CASE("Columns.ARemovedColumnNeedsATargetForItsTasks") {
  TestApp app;
  for (int i = 0; i < 3; ++i) app.create("Task", {.status = "in_progress"});
  CHECK(refusal_of_edit(app, [](auto& edit) { edit.remove_columns = {"in_progress"}; }) == "INVALID_INPUT");
  CHECK(refusal_of_edit(app, [](auto& edit) {
          edit.remove_columns = {"in_progress"};
          edit.move_tasks = {{"in_progress", "nowhere"}};
        }) == "INVALID_STATUS");
  CHECK(refusal_of_edit(app, [](auto& edit) {
          edit.remove_columns = {"in_progress"};
          edit.move_tasks = {{"in_progress", "todo"}};
          edit.wip_limits = {{"todo", 2}};
        }) == "WIP_LIMIT_EXCEEDED");
  auto const board = edit_columns(app, [](auto& edit) {
    edit.remove_columns = {"In Progress"};
    edit.move_tasks = {{"in-progress", "To Do"}};
  });
  CHECK(column_names(board) == "backlog:0 todo:3 blocked:0 done:0 ");
  CHECK(app.get(1).stage == Stage::ready);
  CHECK(column_names(edit_columns(app, [](auto& edit) { edit.remove_columns = {"blocked"}; })) ==
        "backlog:0 todo:3 done:0 ");
}

TEST_CASE("Columns.TasksOfARemovedReadyColumnStayInTheBacklogTheyAreSentTo") {
  TestApp app;
  for (int i = 0; i < 2; ++i) app.create("Task", {.status = "todo"});
  edit_columns(app, [](auto& edit) { edit.wip_limits = {{"todo", 1}}; });
  CHECK(column_names(edit_columns(app, [](auto& edit) {
          edit.remove_columns = {"todo"};
          edit.move_tasks = {{"todo", "backlog"}};
        })) == "backlog:2 in_progress:0 blocked:0 done:0 ");
  CHECK_FALSE(app.get(1).approved);
  CHECK(column_names(edit_columns(app, [](auto& edit) {
          edit.add_columns = {{.name = "next", .stage = core::Stage::ready}};
        })) == "backlog:2 in_progress:0 blocked:0 next:0 done:0 ");
}

TEST_CASE("Columns.WhatBecomesReadyWhileItsColumnGoesFindsAnotherPlace") {
  TestApp app("queue");
  auto const first = app.create("First", {.status = "ready", .review = core::ReviewRule::none});
  auto const waits = app.create("Waits", {.depends_on = {1}});
  app.call<&service::approve_task>({.id = waits.id});
  edit_columns(app, [](auto& edit) {
    edit.remove_columns = {"ready"};
    edit.move_tasks = {{"ready", "completed"}};
  });
  CHECK(app.get(first.id).stage == Stage::done);
  CHECK(app.get(waits.id).status == "completed");
}

TEST_CASE("Columns.TasksThatWaitForEachOtherLeaveTheirColumnTogether") {
  TestApp app;
  app.create("First", {.status = "todo"});
  auto const waits = app.create("Waits", {.status = "todo", .depends_on = {1}});
  edit_columns(app, [](auto& edit) {
    edit.remove_columns = {"todo"};
    edit.move_tasks = {{"todo", "done"}};
  });
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
  edit_columns(app, [](auto& edit) {
    edit.remove_columns = {"todo"};
    edit.move_tasks = {{"todo", "done"}};
    edit.add_columns = {{.name = "next", .stage = core::Stage::ready}};
  });
  CHECK(app.get(parent.id).stage == Stage::done);
  CHECK(app.snapshot().tasks.size() == 3);
}

TEST_CASE("Columns.AnOrderIsRefusedWithTheWholeList") {
  TestApp app;
  auto const error = [&](std::vector<std::string> const& order) {
    return app
        .error<&service::edit_board>(board_edit("classic", [&](auto& edit) { edit.order_columns = order; }))
        .message;
  };
  CHECK(error({"backlog", "nowhere"}) ==
        "the board has no column \"nowhere\"; it has: backlog, todo, in_progress, blocked, done");
  CHECK(error({"backlog", "Backlog"}) == "\"Backlog\" stands twice in \"order_columns\"");
  CHECK(error({"backlog", "done"}) == "\"order_columns\" must name every column; \"todo\" is missing");
  CHECK(app.error<&service::edit_board>(
               board_edit("classic", [](auto& edit) { edit.wip_limits = {{"todo", -1}}; }))
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
  edit_columns(app,
               [](auto& edit) { edit.add_columns = {{.name = "finished", .stage = core::Stage::done}}; });
  edit_columns(app, [](auto& edit) {
    edit.remove_columns = {"done"};
    edit.move_tasks = {{"done", "finished"}};
  });
  CHECK(app.get(task.id).status == "finished");
  CHECK(app.get(task.id).completed == completed);
  CHECK(app.stored(waits.id).state.open_deps == 0);
  CHECK(app.snapshot().tasks.size() == 2);
}

TEST_CASE("Columns.AreAddedAndReordered") {
  TestApp app;
  auto const board = edit_columns(app, [](auto& edit) {
    edit.add_columns = {{.name = "qa", .stage = core::Stage::review, .wip_limit = 2}};
  });
  CHECK(column_names(board) == "backlog:0 todo:0 in_progress:0 blocked:0 qa:0 done:0 ");
  CHECK(column_names(edit_columns(app, [](auto& edit) {
          edit.order_columns = {"backlog", "todo", "qa", "in progress", "blocked", "done"};
        })) == "backlog:0 todo:0 qa:0 in_progress:0 blocked:0 done:0 ");
  CHECK(refusal_of_edit(app, [](auto& edit) { edit.order_columns = {"backlog"}; }) == "INVALID_INPUT");
  CHECK(refusal_of_edit(app, [](auto& edit) { edit.add_columns = {{.name = "QA"}}; }) == "INVALID_INPUT");
}

TEST_CASE("Columns.AColumnThatBecomesAnEndSatisfiesWhatWaitedForItsTasks") {
  TestApp app;
  app.create("Task", {.status = "in_progress"});
  auto const waits = app.create("Waits", {.status = "todo", .depends_on = {1}});
  edit_columns(app, [](auto& edit) {
    edit.columns =
        std::vector<core::Column>{{.name = "todo"}, {.name = "in_progress", .stage = core::Stage::done}};
    edit.move_tasks = {{"backlog", "todo"}, {"done", "in_progress"}};
  });
  CHECK(app.get(1).stage == Stage::done);
  CHECK(app.get(1).completed);
  CHECK(app.stored(waits.id).state.open_deps == 0);
}

TEST_CASE("Columns.WorkUnderWayIsNotMovedOutOfWork") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  auto const run = app.start("dev");
  CHECK(refusal_of_edit(app, [](auto& edit) {
          edit.remove_columns = {"in_progress"};
          edit.move_tasks = {{"in_progress", "todo"}};
        }) == "CONFLICT");
  edit_columns(app, [](auto& edit) { edit.add_columns = {{.name = "doing", .stage = core::Stage::active}}; });
  edit_columns(app, [](auto& edit) {
    edit.remove_columns = {"in_progress"};
    edit.move_tasks = {{"in_progress", "doing"}};
  });
  CHECK(app.get(1).status == "doing");
  CHECK(app.finish(run).outcome == core::Outcome::succeeded);
  CHECK(app.get(1).stage == Stage::done);
}

TEST_CASE("Columns.ADefaultThatIsNoneIsRefusedByItsOwnName") {
  TestApp app;
  auto const field = [&](service::BoardPolicies const& policies) {
    return app.error<&service::edit_board>({policies, "classic"}).field;
  };
  CHECK(field({.default_status = "x"}) == "default_status");
  CHECK(field({.default_priority = "x"}) == "default_priority");
  CHECK(field({.default_class = "x"}) == "default_class");
  CHECK(field({.trusted = std::vector<std::string>{"planner", ""}}) == "trusted");
}
