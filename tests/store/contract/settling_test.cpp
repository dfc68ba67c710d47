#include <algorithm>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
using namespace andon;
using namespace andon::test;
using SettledIds = std::vector<core::TaskId>;

namespace {

constexpr int kManyToSettle = static_cast<int>(store::kMostAtOnce) * 2;

void fill(store::Store& store, int tasks) {
  keep(store, [&](store::Tx& tx) {
    for (int i = 0; i < tasks; ++i)
      tx.add(core::Task(i % 2 == 0 ? a_task().ready() : a_task().ready().of_class("intangible")));
  });
}

core::Board turned(store::Tx& tx, core::BoardId id) {
  auto board = *tx.board(id);
  std::ranges::reverse(board.classes);
  return board;
}

/// Settles so many tasks; false when none was left.
bool settle(store::Store& store, core::BoardId id, std::size_t most) {
  return keep(store, [&](store::Tx& tx) {
    auto const tasks = tx.unsettled(id, most);
    for (auto const& task : tasks) tx.settle(task.id);
    return !tasks.empty();
  });
}

core::TaskId first_offered(store::Store& store, core::BoardId id) {
  return seen(store, [&](store::Tx& tx) {
    core::TaskId out = 0;
    tx.candidates({id, {"todo"}, {""}, ""}, at_minute(0), [&](core::Task const& task) {
      out = task.id;
      return true;
    });
    return out;
  });
}

bool is_settling(store::Store& store, core::BoardId id) {
  return seen(store, [&](store::Tx& tx) { return tx.board(id)->settling.has_value(); });
}

}  // namespace

TEST_CASE("Settling.FewTasksFollowTheirBoardAtOnce") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    fill(*store, 10);
    keep(*store, [&](store::Tx& tx) { tx.put(turned(tx, id)); });
    CHECK_FALSE(is_settling(*store, id));
    CHECK(first_offered(*store, id) == 2);
  });
}

TEST_CASE("Settling.ManyTasksFollowTheirBoardStepByStep") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const id = add_board(*store);
    fill(*store, kManyToSettle);
    keep(*store, [&](store::Tx& tx) { tx.put(turned(tx, id)); });
    CHECK(is_settling(*store, id));
    CHECK(first_offered(*store, id) == 1);
    for (int left = kManyToSettle; left > 0; left -= 50) {
      CHECK(seen(*store, [&](store::Tx& tx) { return tx.left_to_settle(id); }) == left);
      CHECK(settle(*store, id, 50));
    }
    CHECK_FALSE(settle(*store, id, 50));
    CHECK(first_offered(*store, id) == 2);
  });
}

TEST_CASE("Settling.GoesOnWhereItWasWhenTheStoreIsOpenedAgain") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards() || !store.lasts()) return;
    auto const id = add_board(*store);
    fill(*store, kManyToSettle);
    keep(*store, [&](store::Tx& tx) { tx.put(turned(tx, id)); });
    CHECK(settle(*store, id, kManyToSettle / 2));
    store.reopen();
    CHECK(is_settling(*store, id));
    CHECK(seen(*store, [&](store::Tx& tx) { return tx.unsettled(id, 1).front().id; }) ==
          kManyToSettle / 2 + 1);
  });
}

TEST_CASE("Settling.BeginsAnewWhenTheBoardChangesAgain") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const id = add_board(*store);
    fill(*store, kManyToSettle);
    keep(*store, [&](store::Tx& tx) { tx.put(turned(tx, id)); });
    CHECK(settle(*store, id, kManyToSettle));
    keep(*store, [&](store::Tx& tx) { tx.put(turned(tx, id)); });
    CHECK(seen(*store, [&](store::Tx& tx) { return tx.unsettled(id, 1).front().id; }) == 1);
    while (settle(*store, id, 50)) {
    }
    CHECK(first_offered(*store, id) == 1);
  });
}

TEST_CASE("Settling.ATaskEndsWhenItIsPutAndNotBefore") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const id = add_board(*store);
    fill(*store, kManyToSettle);
    keep(*store, [&](store::Tx& tx) {
      auto board = *tx.board(id);
      std::ranges::find(board.columns, "todo", &core::Column::name)->stage = core::Stage::done;
      tx.put(board);
    });
    auto const stage = [&] { return seen(*store, [](store::Tx& tx) { return tx.task(1)->stage; }); };
    change_task(*store, 1, [](core::Task& task) { task.title = "Another title"; });
    CHECK(stage() == core::Stage::ready);
    change_task(*store, 1, [](core::Task& task) { task.stage = core::Stage::done; });
    CHECK(stage() == core::Stage::done);
    CHECK(seen(*store, [&](store::Tx& tx) { return tx.load(id).classes.at("standard"); }) ==
          kManyToSettle / 2 - 1);
  });
}

TEST_CASE("Settling.ABoardIsEmptiedStepByStep") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const id = add_board(*store);
    fill(*store, kManyToSettle);
    auto other = a_board("other");
    auto const beside = add_board(*store, other);
    auto const waits = add_task(*store, a_task().on("other").waiting_for(1)).id;
    int units = 1;
    while (!keep(*store, [&](store::Tx& tx) { return tx.forget_tasks(id, 50); })) ++units;
    CHECK(units == kManyToSettle / 50 + 1);
    CHECK(seen(*store, [&](store::Tx& tx) { return tx.task(waits)->state.open_deps; }) == 0);
    keep(*store, [&](store::Tx& tx) { tx.remove_board(id); });
    CHECK(seen(*store, [&](store::Tx& tx) { return tx.boards().size(); }) == 1);
    CHECK(add_task(*store, a_task().on("other")).id > kManyToSettle);
    CHECK(beside != id);
  });
}
