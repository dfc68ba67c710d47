#pragma once

#include <memory>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "store/engine/writer/driver_store.hpp"
#include "store/memory_driver/hooked_driver.hpp"
#include "store/memory_driver/memory_driver.hpp"
#include "store/open.hpp"
#include "support/builders.hpp"
#include "support/scratch.hpp"

namespace andon::test {

/// `memory` is SQLite in memory, `second_driver` the engine above another database, and `slow_driver` the
/// same with calls and syncs that let all other threads go first.
enum class KindOfStore { memory, sqlite, markdown, second_driver, slow_driver };

inline void let_others_go_first() {
  for (int i = 0; i < 20; ++i) std::this_thread::yield();
}

/// One kind of store under the contract, with what it takes to open it again.
class StoreUnderTest {
 public:
  explicit StoreUnderTest(KindOfStore kind)
      : url_(kind == KindOfStore::memory   ? "sqlite::memory:"
             : kind == KindOfStore::sqlite ? "sqlite:" + (scratch_ / "andon.db").native()
                                           : "markdown:" + scratch_.path().native()),
        kind_(kind) {
    open();
  }
  store::Store& operator*() const { return *store_; }
  store::Store* operator->() const { return store_.get(); }
  /// Whether it remembers after it was closed.
  bool lasts() const { return kind_ != KindOfStore::memory; }
  /// A directory of files is one board; the others hold any number.
  bool holds_many_boards() const { return kind_ != KindOfStore::markdown; }
  void reopen() {
    store_.reset();
    open();
  }

 private:
  void open() {
    using namespace store::engine;
    std::shared_ptr<Driver> driver = driver_;
    if (kind_ == KindOfStore::slow_driver)
      driver = std::make_shared<HookedDriver>(
          driver_, DriverHooks{[](Rights, SessionCall) { let_others_go_first(); }, let_others_go_first});
    if (kind_ == KindOfStore::second_driver || kind_ == KindOfStore::slow_driver)
      store_ = std::make_unique<DriverStore>(driver, nullptr, store::exit_on_fatal, ReadingSessions::many);
    else
      store_ = store::open_store(url_);
  }

  Scratch scratch_;
  std::string url_;
  KindOfStore kind_;
  std::shared_ptr<MemoryDriver> const driver_ = std::make_shared<MemoryDriver>();
  std::unique_ptr<store::Store> store_;
};

/// Runs the test once for every kind of store, each time on a new one.
template <class Test>
void for_each_store(Test const& test) {
  for (auto const kind : {KindOfStore::sqlite, KindOfStore::memory, KindOfStore::markdown,
                          KindOfStore::second_driver, KindOfStore::slow_driver}) {
    CAPTURE(static_cast<int>(kind));
    StoreUnderTest store{kind};
    test(store);
  }
}

/// Runs a unit of work, keeps it, and hands back what it returned.
template <class Work>
auto keep(store::Store& store, Work const& work) {
  using Answer = decltype(work(std::declval<store::Tx&>()));
  if constexpr (std::is_void_v<Answer>) {
    store::write(store, [&](store::Tx& tx) {
      work(tx);
      return store::Outcome::commit;
    });
  } else {
    std::optional<Answer> answer;
    store::write(store, [&](store::Tx& tx) {
      answer = work(tx);
      return store::Outcome::commit;
    });
    return *std::move(answer);
  }
}

/// Runs a reading unit and hands back what it returned.
template <class Work>
auto seen(store::Store& store, Work const& work) {
  std::optional<decltype(work(std::declval<store::Tx&>()))> answer;
  store.read([&](store::Tx& tx) { answer = work(tx); });
  return *std::move(answer);
}

inline core::BoardId add_board(store::Store& store, core::Board board = a_board()) {
  return keep(store, [&](store::Tx& tx) { return tx.add(board); });
}
inline core::Task add_task(store::Store& store, core::Task task = a_task()) {
  return keep(store, [&](store::Tx& tx) { return tx.add(task); });
}
/// Changes a task and raises its rev; a store of files decides the rev, and where the file is.
template <class Change>
core::Task change_task(store::Store& store, core::TaskId id, Change const& change, bool with_body = false) {
  return keep(store, [&](store::Tx& tx) {
    auto task = *tx.task(id);
    change(task);
    task.rev = core::next(task.rev);
    tx.put(task, with_body);
    auto const kept = *tx.task(id);
    task.rev = kept.rev;
    task.file = kept.file;
    return task;
  });
}

inline core::Event an_event(core::EventKind kind = core::EventKind::task_edited, core::TaskId task = 0) {
  core::Event event;
  event.ts = at_minute(1);
  event.actor = {core::ActorKind::user, "ann"};
  event.kind = kind;
  event.board = "shop";
  if (task != 0) event.task = task;
  return event;
}

}  // namespace andon::test
