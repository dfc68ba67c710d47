#include <algorithm>

#include "api/operation.hpp"
#include "store/contract/stores.hpp"
#include "store/engine/meter.hpp"
#include "store/engine/unit/unit.hpp"

// Rows and steps of SQLite's virtual machine are counted, so that a machine under load decides nothing.

using namespace andon;
using namespace andon::test;

namespace {

void fill(store::Store& store, int tasks) {
  keep(store, [&](store::Tx& tx) {
    for (int i = 0; i < tasks; ++i) tx.add(core::Task(a_task().ready()));
  });
}

store::ActCost cost_of(store::Store& store, std::function<void(store::Tx&)> const& act) {
  return keep(store, [&](store::Tx& tx) {
    store::engine::Meter const meter{tx.session(), {}};
    act(tx);
    return meter.cost({});
  });
}

/// What an act costs on a board of so many tasks.
store::ActCost on_a_board_of(int tasks, std::function<void(store::Tx&, core::BoardId)> const& act) {
  auto const store = store::open_store("sqlite::memory:");
  auto const id = add_board(*store);
  fill(*store, tasks);
  return cost_of(*store, [&](store::Tx& tx) { act(tx, id); });
}

void check_same_at_every_size(std::function<void(store::Tx&, core::BoardId)> const& act) {
  auto const small = on_a_board_of(300, act), large = on_a_board_of(3000, act);
  CHECK(small.rows == large.rows);
  CHECK(large.steps <= small.steps + 1);
}

}  // namespace

TEST_CASE("UnitCost.OfAChangedBoardDoesNotGrowWithItsTasks") {
  check_same_at_every_size([](store::Tx& tx, core::BoardId id) {
    auto board = *tx.board(id);
    std::ranges::reverse(board.classes);
    std::ranges::reverse(board.priorities);
    auto column = board.columns.front();
    column.name = column.title = "new";
    board.columns.insert(board.columns.begin() + 1, column);
    tx.put(board);
  });
}

TEST_CASE("UnitCost.OfAWorkerDoesNotGrowWithItsTasks") {
  auto const cost = [](int tasks) {
    auto const store = store::open_store("sqlite::memory:");
    add_board(*store);
    keep(*store, [&](store::Tx& tx) {
      for (int i = 0; i < tasks; ++i) tx.add(core::Task(a_task().ready().assigned_to("dev")));
    });
    return cost_of(*store, [](store::Tx& tx) {
      core::Worker dev;
      dev.name = "dev";
      tx.put(dev);
      tx.remove_worker("dev");
    });
  };
  CHECK(cost(300).rows == cost(3000).rows);
}

TEST_CASE("UnitCost.OfAStepOfSettlingDoesNotGrowWithTheBoard") {
  auto const step = [](int tasks) {
    auto const store = store::open_store("sqlite::memory:");
    auto const id = add_board(*store);
    fill(*store, tasks);
    keep(*store, [&](store::Tx& tx) {
      auto board = *tx.board(id);
      std::ranges::reverse(board.priorities);
      board.priorities.erase(board.priorities.begin());
      tx.put(board);
    });
    return cost_of(*store, [&](store::Tx& tx) {
      for (auto const& task : tx.unsettled(id, 50)) tx.settle(task.id);
    });
  };
  CHECK(step(300).rows == step(3000).rows);
}

TEST_CASE("UnitCost.OfAnEmptyPicksReasonsDoesNotGrowWithTheColumn") {
  struct Row {
    char const* name;
    std::function<core::Task(int)> task;
    std::vector<std::string> tags{};
  };
  Row const rows[] = {
      {"pickable", [](int) { return a_task().ready(); }},
      {"without the tag", [](int) { return a_task().ready(); }, {"rare"}},
      {"with the tag", [](int) { return a_task().ready().tagged("rare"); }, {"rare"}},
      {"for a role", [](int) { return a_task().ready().for_role("qa"); }},
      {"each for somebody", [](int n) { return a_task().ready().assigned_to("w" + std::to_string(n)); }},
      {"blocked", [](int) { return a_task().ready().blocked(); }},
      {"blocked for others", [](int) { return a_task().ready().for_role("qa").blocked(); }},
      {"claimed", [](int) { return a_task().ready().claimed_by("eve", std::nullopt); }},
      {"not yet", [](int n) { return a_task().ready().not_before(at_minute(n + 1)); }},
  };
  for (auto const& row : rows)
    for (bool const begins_blocked : {false, true}) {
      CAPTURE(row.name);
      CAPTURE(begins_blocked);
      auto const cost = [&](int tasks) {
        auto const store = store::open_store("sqlite::memory:");
        auto const id = add_board(*store);
        keep(*store, [&](store::Tx& tx) {
          if (begins_blocked) tx.add(core::Task(a_task().ready().blocked()));
          for (int n = 0; n < tasks; ++n) tx.add(row.task(n));
        });
        return cost_of(*store, [&](store::Tx& tx) {
          tx.held_back({id, {"todo"}, {""}, "", row.tags}, at_minute(0), 10);
        });
      };
      CHECK(cost(6000).steps <= cost(300).steps + 1);
    }
}
