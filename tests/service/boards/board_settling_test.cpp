#include "service/boards/board_settling.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/house.hpp"

using namespace andon;
using core::Stage;
using test::House;
using test::on;

namespace {

constexpr int kMany = static_cast<int>(store::kMostAtOnce) * 2;

void fill(House& house, std::string_view status) {
  std::string items;
  for (int i = 0; i < kMany; ++i)
    items += (i == 0 ? "" : ",") + std::string{R"({"title":"Task","status":")"} + std::string{status} + "\"}";
  house.answer("create_tasks", R"({"items":[)" + items + "]}");
}

core::Board edit(House& house, std::string const& members) {
  return *reflect::read_json<core::Board>(
      house.answer("edit_board", R"({"board":")" + house.board + "\"," + members + "}"));
}

core::Board board_of(House& house) {
  return *reflect::read_json<core::Board>(house.answer("get_board", R"({"board":")" + house.board + "\"}"));
}

std::string names(core::Board const& board) {
  std::string out;
  for (auto const& column : board.columns)
    out += column.name + ":" + std::to_string(column.count.value_or(0)) + " ";
  return out;
}

/// One unit of work; true when there is more to do.
bool step(House& house) {
  bool has_more = false;
  house.executor.write([&](service::Unit& u) {
    has_more = service::settle_boards(u);
    return true;
  });
  return has_more;
}

void settle(House& house) {
  for (int steps = 0; step(house); ++steps) REQUIRE(steps < 1000);
}

}  // namespace

TEST_CASE("BoardSettling.ARenamedColumnIsEmptiedIntoItsNewNameAndGoes") {
  House house;
  fill(house, "todo");
  auto const first = house.stored(1);
  house.clock.advance(std::chrono::minutes{5});
  auto board = edit(house, R"("rename_columns":{"todo":"queue"})");
  CHECK(names(board) == "backlog:0 queue:0 in_progress:0 blocked:0 done:0 todo:200 ");
  CHECK(board.columns.back().goes_to == "queue");
  CHECK(board.settling == kMany);
  CHECK(step(house));
  board = board_of(house);
  CHECK(board.columns.at(1).count.value_or(0) > 0);
  CHECK(*board.settling < kMany);
  CHECK(house.create("New", R"("status":"todo")").status == "queue");
  settle(house);
  CHECK(names(board_of(house)) == "backlog:0 queue:201 in_progress:0 blocked:0 done:0 ");
  CHECK_FALSE(board_of(house).settling);
  auto const after = house.stored(1);
  CHECK(after.status == "queue");
  CHECK(after.state.entered == first.state.entered);
}

TEST_CASE("BoardSettling.TasksOfARemovedColumnMoveAndTheirDependentsHear") {
  House house;
  fill(house, "in_progress");
  auto const waits = house.create("Waits", R"("depends_on":[7])");
  auto const blocked = house.create("Blocked", R"("status":"in_progress")");
  house.task("block_task", on(blocked.id, R"("reason":"no key")"));
  edit(house, R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"done"})");
  settle(house);
  CHECK(names(board_of(house)) == "backlog:1 todo:0 blocked:1 done:200 ");
  CHECK(house.get(7).stage == Stage::done);
  CHECK(house.stored(waits.id).state.open_deps == 0);
  CHECK(house.task("unblock_task", on(blocked.id)).status == "done");
}

TEST_CASE("BoardSettling.AColumnThatBecomesAnEndEndsItsTasksOneByOne") {
  House house;
  fill(house, "todo");
  auto const waits = house.create("Waits", R"("depends_on":[1,2])");
  edit(house, R"("columns":[{"name":"backlog","stage":"backlog"},{"name":"todo","stage":"done"},
    {"name":"in_progress","stage":"active"},{"name":"blocked","stage":"blocked"},{"name":"done","stage":"done"}])");
  CHECK(house.stored(waits.id).state.open_deps == 2);
  house.answer("update_task", on(1, R"("title":"Edited meanwhile")"));
  CHECK(house.stored(waits.id).state.open_deps == 2);
  settle(house);
  CHECK(house.get(1).stage == Stage::done);
  CHECK(house.stored(waits.id).state.open_deps == 0);
  CHECK(house.stored(2).completed);
}

TEST_CASE("BoardSettling.WhatCannotMoveIsRefusedBeforeAnythingMoves") {
  House house;
  fill(house, "in_progress");
  auto const request = [](std::string const& members) { return R"({"board":"classic",)" + members + "}"; };
  CHECK(house.refusal("edit_board", request(R"("remove_columns":["in_progress"])")) == "INVALID_INPUT");
  CHECK(house.refusal("edit_board",
                      request(R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"todo"},
                              "wip_limits":{"todo":20})")) == "WIP_LIMIT_EXCEEDED");
  edit(house, R"("remove_columns":["in_progress"],"move_tasks":{"in_progress":"todo"})");
  CHECK(house.refusal("edit_board", request(R"("remove_columns":["todo"],"move_tasks":{"todo":"backlog"},
                                            "add_columns":[{"name":"in_progress"}])")) == "CONFLICT");
}

TEST_CASE("BoardSettling.ALimitThatFallsLetsEverythingInByAndBy") {
  House house("queue");
  edit(house, R"("wip_limits":{"ready":1})");
  house.create("First");
  std::string items;
  for (int i = 0; i < kMany; ++i)
    items += (i == 0 ? "" : ",") + std::string{R"({"title":"Task","depends_on":[1]})"};
  house.answer("create_tasks", R"({"items":[)" + items + "]}");
  for (int id = 1; id <= kMany + 1; ++id) house.task("approve_task", on(id));
  house.answer("delete_task", on(1));
  edit(house, R"("wip_limits":{"ready":0})");
  auto const ready = [&] {
    auto const board = board_of(house);
    return core::first_column(board, Stage::ready)->count.value_or(0);
  };
  CHECK(ready() < kMany);
  settle(house);
  CHECK(ready() == kMany);
}

TEST_CASE("BoardSettling.NoUnitTouchesMoreTasksThanOneCanTake") {
  auto const most_events = [](int times) {
    House house;
    for (int i = 0; i < times; ++i) fill(house, "todo");
    std::int64_t most = 0;
    auto const counted = [&](auto const& act) {
      auto const before = house.last_seq();
      act();
      most = std::max(most, house.last_seq() - before);
    };
    counted([&] { edit(house, R"("rename_columns":{"todo":"queue"})"); });
    for (bool more = true; more;) counted([&] { more = step(house); });
    counted([&] { edit(house, R"("priorities":["low","high","medium","critical"])"); });
    for (bool more = true; more;) counted([&] { more = step(house); });
    return most;
  };
  CHECK(most_events(1) == most_events(4));
  CHECK(most_events(4) <= store::kMostAtOnce);
}

TEST_CASE("BoardSettling.AnExecutorGoesOnUntilAllIsDone") {
  House house;
  fill(house, "todo");
  edit(house, R"("rename_columns":{"todo":"queue"})");
  house.executor.settle();
  CHECK(names(board_of(house)) == "backlog:0 queue:200 in_progress:0 blocked:0 done:0 ");
}
