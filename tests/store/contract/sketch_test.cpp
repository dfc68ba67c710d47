#include <algorithm>

#include "core/tasks/likeness.hpp"
#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace andon::test;

namespace {

/// The tasks of the first board that may be copies of one with that title.
std::vector<core::TaskId> alike(store::Store& store, std::string const& title, std::size_t most = 64) {
  core::Task asked;
  asked.title = title;
  return seen(store, [&](store::Tx& tx) {
    std::vector<core::TaskId> out;
    auto const board = tx.boards().front()->id;
    for (auto const& task : tx.alike(board, core::sketch_of(core::words_of(asked)), most,
                                     [](core::Task const& one) { return !core::is_archived(one.stage); }))
      out.push_back(task.id);
    return out;
  });
}

using Ids = std::vector<core::TaskId>;

}  // namespace

TEST_CASE("Sketches.FindTasksWithAlikeTextsNewestFirst") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const first = add_task(*store, a_task("Fix the login crash"));
    add_task(*store, a_task("Write the manual"));
    auto const second = add_task(*store, a_task("fix the LOGIN crash"));
    CHECK(alike(*store, "Fix the login crash") == Ids{second.id, first.id});
    CHECK(alike(*store, "Fix the login crash", 1) == Ids{second.id});
    CHECK(alike(*store, "Paint the fence").empty());
    if (!store.lasts()) return;
    store.reopen();
    CHECK(alike(*store, "Fix the login crash") == Ids{second.id, first.id});
  });
}

TEST_CASE("Sketches.FollowTheTextOfATask") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const id = add_task(*store, a_task("Fix the login crash")).id;
    change_task(*store, id, [](core::Task& task) { task.title = "Write the manual"; });
    CHECK(alike(*store, "Fix the login crash").empty());
    CHECK(alike(*store, "Write the manual") == Ids{id});
    change_task(*store, id, [](core::Task& task) { task.status = "archived"; });
    CHECK(alike(*store, "Write the manual").empty());
  });
}

TEST_CASE("Sketches.AreUndoneWithTheirUnit") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const id = add_task(*store, a_task("Fix the login crash")).id;
    store::write(*store, [&](store::Tx& tx) {
      auto task = *tx.task(id);
      task.title = "Write the manual";
      tx.put(task);
      return store::Outcome::rollback;
    });
    CHECK(alike(*store, "Fix the login crash") == Ids{id});
  });
}

TEST_CASE("Sketches.GoWithTheirTask") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const id = add_task(*store, a_task("Fix the login crash")).id;
    store::write(*store, [&](store::Tx& tx) {
      tx.erase(id);
      return store::Outcome::commit;
    });
    CHECK(alike(*store, "Fix the login crash").empty());
  });
}
