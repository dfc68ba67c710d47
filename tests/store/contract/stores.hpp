#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/engine/writer/driver_store.hpp"
#include "store/memory_driver/hooked_driver.hpp"
#include "store/memory_driver/memory_driver.hpp"
#include "store/open.hpp"
#include "support/builders.hpp"
#include "support/private_postgres.hpp"
#include "support/scratch.hpp"

namespace andon::test {

/// `memory` is SQLite in memory, `second_driver` the engine above another database, `slow_driver` the same
/// with calls and syncs that let all other threads go first, and `failing_driver` the same with calls that
/// fail now and then. `postgres` is a schema of its own in a private PostgreSQL server.
enum class KindOfStore { memory, sqlite, markdown, postgres, second_driver, slow_driver, failing_driver };

inline void let_others_go_first() {
  for (int i = 0; i < 20; ++i) std::this_thread::yield();
}

/// Lets every so many-th call of the session that writes fail, and then none until a commit. Of the calls of
/// units it spares those that undo one, and all while the store is opened: these are never tried again.
class PassingFaults {
 public:
  void arm(bool is_armed) { is_armed_ = is_armed; }
  void note(store::engine::Rights rights, SessionCall call) {
    if (rights != store::engine::Rights::write) return;
    if (call == SessionCall::commit) is_resting_ = false;
    bool const is_counted = call == SessionCall::read || call == SessionCall::candidates ||
                            call == SessionCall::write || call == SessionCall::mark;
    if (!is_counted || !is_armed_ || is_resting_ || ++calls_ % kEvery != 0) return;
    is_resting_ = true;
    throw store::StoreError{store::StoreError::Kind::other, "a passing fault"};
  }

 private:
  static constexpr int kEvery = 7;
  std::atomic<bool> is_armed_ = false;
  std::atomic<bool> is_resting_ = false;
  std::atomic<int> calls_ = 0;
};

/// One kind of store under the contract, with what it takes to open it again.
class StoreUnderTest {
 public:
  explicit StoreUnderTest(KindOfStore kind)
      : url_(kind == KindOfStore::memory     ? "sqlite::memory:"
             : kind == KindOfStore::sqlite   ? "sqlite:" + (scratch_ / "andon.db").native()
             : kind == KindOfStore::postgres ? PrivatePostgres::instance().new_schema()
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
  /// True when units run again although nothing asks for it, so that their runs cannot be counted.
  bool repeats_units() const { return kind_ == KindOfStore::failing_driver; }
  /// A further server of the store; null where the store has only one.
  std::unique_ptr<store::Store> second_server() const {
    return kind_ == KindOfStore::postgres ? store::open_store(url_) : nullptr;
  }
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
    if (kind_ == KindOfStore::failing_driver)
      driver = std::make_shared<HookedDriver>(
          driver_, DriverHooks{[this](Rights rights, SessionCall call) { faults_.note(rights, call); }, {}});
    faults_.arm(false);
    if (driver != driver_ || kind_ == KindOfStore::second_driver)
      store_ = std::make_unique<DriverStore>(driver, nullptr, store::exit_on_fatal, ReadingSessions::many);
    else
      store_ = store::open_store(url_);
    faults_.arm(true);
  }

  Scratch scratch_;
  std::string url_;
  KindOfStore kind_;
  PassingFaults faults_;
  std::shared_ptr<MemoryDriver> const driver_ = std::make_shared<MemoryDriver>();
  std::unique_ptr<store::Store> store_;
};

/// Runs the test once for every kind of store, each time on a new one.
template <class Test>
void for_each_store(Test const& test) {
  for (auto const kind :
       {KindOfStore::sqlite, KindOfStore::memory, KindOfStore::markdown, KindOfStore::postgres,
        KindOfStore::second_driver, KindOfStore::slow_driver, KindOfStore::failing_driver}) {
    if (kind == KindOfStore::postgres && !PrivatePostgres::is_installed()) continue;
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
