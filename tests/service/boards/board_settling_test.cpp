#include "service/boards/board_settling.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "store/contract/query.hpp"

using namespace andon;
using core::Stage;
using test::board_edit;
using test::TestApp;

namespace {

constexpr int kMany = static_cast<int>(store::kMostAtOnce) * 2;

void fill(TestApp& app, std::string_view status) {
  std::vector<service::CreateTaskRequest> const items(kMany,
                                                      {.title = "Task", .status = std::string{status}});
  app.call<&service::create_tasks>({.items = items});
}

core::Board edit(TestApp& app, auto const& fill_in) {
  return app.call<&service::edit_board>(board_edit(app.board, fill_in));
}
std::string refusal(TestApp& app, auto const& fill_in) {
  return app.refusal<&service::edit_board>(board_edit(app.board, fill_in));
}

core::Board board_of(TestApp& app) { return app.call<&service::get_board>({.board = app.board}); }

std::string names(core::Board const& board) {
  std::string out;
  for (auto const& column : board.columns)
    out += column.name + ":" + std::to_string(column.count.value_or(0)) + " ";
  return out;
}

/// One unit of work; true when there is more to do.
bool step(TestApp& app) {
  bool has_more = false;
  app.executor.write([&](service::OperationContext& u) {
    has_more = service::settle_boards(u);
    return true;
  });
  return has_more;
}

void settle(TestApp& app) {
  for (int steps = 0; step(app); ++steps) REQUIRE(steps < 1000);
}

}  // namespace

TEST_CASE("BoardSettling.ARenamedColumnIsEmptiedIntoItsNewNameAndGoes") {
  TestApp app;
  fill(app, "todo");
  auto const first = app.stored(1);
  app.clock.advance(std::chrono::minutes{5});
  auto board = edit(app, [](auto& edit) { edit.rename_columns = {{"todo", "queue"}}; });
  CHECK(names(board) == "backlog:0 queue:0 in_progress:0 blocked:0 done:0 todo:200 ");
  CHECK(board.columns.back().goes_to == "queue");
  CHECK(board.settling == kMany);
  CHECK(step(app));
  board = board_of(app);
  CHECK(board.columns.at(1).count.value_or(0) > 0);
  CHECK(*board.settling < kMany);
  CHECK(app.create("New", {.status = "todo"}).status == "queue");
  settle(app);
  CHECK(names(board_of(app)) == "backlog:0 queue:201 in_progress:0 blocked:0 done:0 ");
  CHECK_FALSE(board_of(app).settling);
  auto const after = app.stored(1);
  CHECK(after.status == "queue");
  CHECK(after.state.entered == first.state.entered);
}

TEST_CASE("BoardSettling.TasksOfARemovedColumnMoveAndTheirDependentsHear") {
  TestApp app;
  fill(app, "in_progress");
  auto const waits = app.create("Waits", {.depends_on = {7}});
  auto const blocked = app.create("Blocked", {.status = "in_progress"});
  app.call<&service::block_task>({.id = blocked.id, .reason = "no key"});
  edit(app, [](auto& edit) {
    edit.remove_columns = {"in_progress"};
    edit.move_tasks = {{"in_progress", "done"}};
  });
  settle(app);
  CHECK(names(board_of(app)) == "backlog:1 todo:0 blocked:1 done:200 ");
  CHECK(app.get(7).stage == Stage::done);
  CHECK(app.stored(waits.id).state.open_deps == 0);
  CHECK(app.call<&service::unblock_task>({.id = blocked.id}).status == "done");
}

TEST_CASE("BoardSettling.AColumnThatBecomesAnEndEndsItsTasksOneByOne") {
  TestApp app;
  fill(app, "todo");
  auto const waits = app.create("Waits", {.depends_on = {1, 2}});
  edit(app, [](auto& edit) {
    edit.columns = std::vector<core::Column>{{.name = "backlog", .stage = core::Stage::backlog},
                                             {.name = "todo", .stage = core::Stage::done},
                                             {.name = "in_progress", .stage = core::Stage::active},
                                             {.name = "blocked", .stage = core::Stage::blocked},
                                             {.name = "done", .stage = core::Stage::done}};
  });
  CHECK(app.stored(waits.id).state.open_deps == 2);
  app.call<&service::edit_task>({.id = 1, .title = "Edited meanwhile"});
  CHECK(app.stored(waits.id).state.open_deps == 2);
  settle(app);
  CHECK(app.get(1).stage == Stage::done);
  CHECK(app.stored(waits.id).state.open_deps == 0);
  CHECK(app.stored(2).completed);
}

TEST_CASE("BoardSettling.WhatCannotMoveIsRefusedBeforeAnythingMoves") {
  TestApp app;
  fill(app, "in_progress");
  CHECK(refusal(app, [](auto& edit) { edit.remove_columns = {"in_progress"}; }) == "INVALID_INPUT");
  CHECK(refusal(app, [](auto& edit) {
          edit.remove_columns = {"in_progress"};
          edit.move_tasks = {{"in_progress", "todo"}};
          edit.wip_limits = {{"todo", 20}};
        }) == "WIP_LIMIT_EXCEEDED");
  edit(app, [](auto& edit) {
    edit.remove_columns = {"in_progress"};
    edit.move_tasks = {{"in_progress", "todo"}};
  });
  CHECK(refusal(app, [](auto& edit) {
          edit.remove_columns = {"todo"};
          edit.move_tasks = {{"todo", "backlog"}};
          edit.add_columns = {{.name = "in_progress"}};
        }) == "CONFLICT");
}

TEST_CASE("BoardSettling.ALimitThatFallsLetsEverythingInByAndBy") {
  TestApp app("queue");
  edit(app, [](auto& edit) { edit.wip_limits = {{"ready", 1}}; });
  app.create("First");
  std::vector<service::CreateTaskRequest> const items(kMany, {.title = "Task", .depends_on = {1}});
  app.call<&service::create_tasks>({.items = items});
  for (int id = 1; id <= kMany + 1; ++id) app.call<&service::approve_task>({.id = id});
  app.call<&service::delete_task>({.id = 1});
  edit(app, [](auto& edit) { edit.wip_limits = {{"ready", 0}}; });
  auto const ready = [&] {
    auto const board = board_of(app);
    return core::first_column(board, Stage::ready)->count.value_or(0);
  };
  CHECK(ready() < kMany);
  settle(app);
  CHECK(ready() == kMany);
}

TEST_CASE("BoardSettling.NoUnitTouchesMoreTasksThanOneCanTake") {
  auto const most_events = [](int times) {
    TestApp app;
    for (int i = 0; i < times; ++i) fill(app, "todo");
    std::int64_t most = 0;
    auto const counted = [&](auto const& act) {
      auto const before = app.last_seq();
      act();
      most = std::max(most, app.last_seq() - before);
    };
    counted([&] { edit(app, [](auto& edit) { edit.rename_columns = {{"todo", "queue"}}; }); });
    for (bool more = true; more;) counted([&] { more = step(app); });
    counted([&] {
      edit(app, [](auto& edit) {
        edit.priorities = std::vector<std::string>{"low", "high", "medium", "critical"};
      });
    });
    for (bool more = true; more;) counted([&] { more = step(app); });
    return most;
  };
  CHECK(most_events(1) == most_events(4));
  CHECK(most_events(4) <= store::kMostAtOnce);
}

TEST_CASE("BoardSettling.AnExecutorGoesOnUntilAllIsDone") {
  TestApp app;
  fill(app, "todo");
  edit(app, [](auto& edit) { edit.rename_columns = {{"todo", "queue"}}; });
  app.executor.settle();
  CHECK(names(board_of(app)) == "backlog:0 queue:200 in_progress:0 blocked:0 done:0 ");
}
