#include <map>
#include <random>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace andon::test;

namespace {

constexpr int kActs = 300;

using Counts = std::map<core::TaskId, core::Progress>;

store::TaskFilter all_tasks() {
  store::TaskFilter out;
  out.archived = true;
  return out;
}

/// What is kept of every task that is or was there.
Counts kept(store::Store& store, core::TaskId last) {
  return seen(store, [&](store::Tx& tx) {
    Counts out;
    for (std::int64_t id = 1; id <= last; ++id)
      if (auto const progress = tx.progress(core::TaskId{id})) out.emplace(id, *progress);
    return out;
  });
}

Counts counted(store::Store& store) {
  return seen(store, [&](store::Tx& tx) {
    Counts out;
    auto const all = tx.list(all_tasks(), {100'000, {}});
    for (auto const& task : all->tasks) {
      if (!task.parent) continue;
      auto& progress = out[*task.parent];
      ++progress.total;
      if (core::is_terminal(task.stage)) ++progress.done;
    }
    return out;
  });
}

/// Adds, moves, archives and hangs tasks elsewhere by chance.
class Acts {
 public:
  Acts(StoreUnderTest& store, unsigned seed) : store_(store), drawn_(seed) {}

  core::TaskId last() const { return last_; }
  void act() {
    if (last_ < 3 || jitter() < 0.4) return add();
    if (jitter() < 0.1) return give_up();
    change_task(*store_, any(), [&](core::Task& task) {
      if (jitter() < 0.5) {
        task.status = column();
      } else {
        task.parent.reset();
        if (auto const above = any(); above < task.id && jitter() < 0.8) task.parent = above;
      }
    });
  }

 private:
  double jitter() { return std::uniform_real_distribution{}(drawn_); }
  core::TaskId any() { return core::TaskId{std::uniform_int_distribution<std::int64_t>{1, last_}(drawn_)}; }
  std::string column() {
    static constexpr std::array kColumns{"backlog", "todo", "doing", "failed", "done", "archived"};
    return kColumns[std::uniform_int_distribution<std::size_t>{0, kColumns.size() - 1}(drawn_)];
  }
  void add() {
    core::Task task = a_task().in(column());
    if (last_ > 0 && jitter() < 0.7) task.parent = any();
    last_ = add_task(*store_, task).id;
  }
  /// A unit that changes much and is not kept.
  void give_up() {
    store::write(*store_, [&](store::Tx& tx) {
      tx.add(core::Task(a_task().child_of(1).in("done")));
      auto task = *tx.task(last_);
      task.parent = 1 == last_ ? std::nullopt : std::optional<core::TaskId>{1};
      task.rev = core::next(task.rev);
      tx.put(task);
      return store::Outcome::rollback;
    });
  }

  StoreUnderTest& store_;
  std::mt19937 drawn_;
  core::TaskId last_ = 0;
};

}  // namespace

TEST_CASE("Children.CountsAreThoseOfARecountWhateverHappened") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    Acts acts{store, 20261123};
    for (int n = 0; n < kActs; ++n) acts.act();
    CHECK(kept(*store, acts.last()) == counted(*store));
    CHECK(kept(*store, acts.last()).size() > 10);
    if (!store.lasts()) return;
    store.reopen();
    CHECK(kept(*store, acts.last()) == counted(*store));
  });
}

TEST_CASE("Children.CountsFollowAColumnThatMeansSomethingElse") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const board = add_board(*store);
    auto const parent = add_task(*store).id;
    for (int n = 0; n < 3; ++n) add_task(*store, a_task().child_of(parent).in("check"));
    CHECK(kept(*store, parent) == Counts{{parent, {0, 3}}});
    keep(*store, [&](store::Tx& tx) {
      auto changed = *tx.board(board);
      for (auto& column : changed.columns)
        if (column.name == "check") column.stage = core::Stage::done;
      tx.put(changed);
    });
    CHECK(kept(*store, parent) == Counts{{parent, {3, 3}}});
  });
}

TEST_CASE("Children.LevelsBelowATaskAreCounted") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const levels = [&](core::TaskId id) {
      return seen(*store, [&](store::Tx& tx) { return tx.levels_below(id, 100); });
    };
    core::TaskId last = add_task(*store).id;
    CHECK(levels(last) == 0);
    for (int n = 0; n < 5; ++n) last = add_task(*store, a_task().child_of(last)).id;
    add_task(*store, a_task().child_of(1));
    CHECK(levels(1) == 5);
    CHECK(levels(4) == 2);
    CHECK(seen(*store, [](store::Tx& tx) { return tx.levels_below(1, 3); }) == 3);
    change_task(*store, 4, [](core::Task& task) { task.parent.reset(); });
    CHECK(levels(1) == 2);
    CHECK(levels(4) == 2);
  });
}

TEST_CASE("Children.AnOpenReviewIsFoundUntilItIsFinished") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    add_board(*store);
    auto const work = add_task(*store).id;
    core::Task review = a_task().child_of(work);
    review.state.reviews = work;
    auto const id = add_task(*store, review).id;
    auto const found = [&] { return seen(*store, [&](store::Tx& tx) { return tx.open_review_of(work); }); };
    CHECK(found() == id);
    change_task(*store, id, [](core::Task& task) { task.status = "done"; });
    CHECK_FALSE(found());
    change_task(*store, id, [](core::Task& task) { task.status = "todo"; });
    CHECK(found() == id);
  });
}
