#include <atomic>
#include <future>
#include <thread>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/engine/writer/durability.hpp"
#include "store/memory_driver/hooked_driver.hpp"

using namespace andon;
using namespace andon::test;
using store::Outcome;
using store::engine::Rights;

namespace {

/// Holds the threads that pass it while it is closed.
class Gate {
 public:
  void close() { set(true); }
  void open() { set(false); }
  /// Lets one of the threads through that wait or come.
  void let_one_through() {
    os::MutexLock const lock{mutex_};
    ++allowed_;
    changed_.notify_all();
  }
  void pass() {
    os::MutexLock const lock{mutex_};
    ++waiting_;
    changed_.notify_all();
    while (is_closed_ && allowed_ == 0) changed_.wait(mutex_);
    if (is_closed_) --allowed_;
    --waiting_;
    changed_.notify_all();
  }
  /// Waits until a thread waits and none is on its way through.
  void await() {
    os::MutexLock const lock{mutex_};
    while (waiting_ == 0 || allowed_ > 0) changed_.wait(mutex_);
  }

 private:
  void set(bool is_closed) {
    os::MutexLock const lock{mutex_};
    is_closed_ = is_closed;
    allowed_ = 0;
    changed_.notify_all();
  }

  os::Mutex mutex_;
  os::Condition changed_;
  bool is_closed_ GUARDED_BY(mutex_) = false;
  int allowed_ GUARDED_BY(mutex_) = 0;
  int waiting_ GUARDED_BY(mutex_) = 0;
};

store::engine::DriverStore store_with(DriverHooks hooks) {
  auto driver = std::make_shared<HookedDriver>(std::make_shared<MemoryDriver>(), std::move(hooks));
  return {std::move(driver), nullptr, [](auto) {}, store::engine::ReadingSessions::many};
}

std::future<void> submit(store::Store& store, store::Work work) {
  auto promise = std::make_shared<std::promise<void>>();
  store.submit(std::move(work), [promise](std::exception_ptr const&) { promise->set_value(); });
  return promise->get_future();
}

bool is_ready(std::future<void> const& done) {
  return done.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
}

Outcome append(store::Tx& tx) {
  tx.append(an_event());
  return Outcome::commit;
}

}  // namespace

TEST_CASE("SlowDisks.HoldAnswersListenersAndReadersUntilTheSyncHasEnded") {
  Gate gate;
  auto store = store_with({{}, [&] { gate.pass(); }});
  std::atomic<std::int64_t> heard = 0, readers_answered = 0;
  store.on_commit([&](core::EventSeq last) { heard = last; });
  keep(store, [](store::Tx& tx) { tx.set_setting("a", "b"); });
  gate.close();
  auto const done = submit(store, append);
  gate.await();
  std::promise<std::int64_t> seen_by_reader;
  std::thread reader{[&] {
    store.read([&](store::Tx& tx) { seen_by_reader.set_value(tx.last_seq()); });
    ++readers_answered;
  }};
  CHECK(seen_by_reader.get_future().get() == 1);
  CHECK_FALSE(is_ready(done));
  CHECK(heard == 0);
  CHECK(readers_answered == 0);
  gate.open();
  done.wait();
  reader.join();
  store.close();
  CHECK(heard == 1);
}

TEST_CASE("SlowDisks.LetTheNextUnitRunButNotBeAnswered") {
  Gate gate;
  auto store = store_with({{}, [&] { gate.pass(); }});
  keep(store, [](store::Tx& tx) { tx.set_setting("a", "b"); });
  gate.close();
  std::promise<void> second_ran;
  std::future<void> second;
  auto const first = submit(store, [&](store::Tx& tx) {
    if (!second.valid())
      second = submit(store, [&](store::Tx& inner) {
        second_ran.set_value();
        return append(inner);
      });
    return append(tx);
  });
  second_ran.get_future().wait();
  gate.await();
  CHECK_FALSE(is_ready(first));
  CHECK_FALSE(is_ready(second));
  gate.let_one_through();
  first.wait();
  gate.await();
  CHECK_FALSE(is_ready(second));
  gate.open();
  second.wait();
}

TEST_CASE("SlowDatabases.AnswerAUnitOnlyAfterEachOfItsCallsAndTheSync") {
  Gate gate;
  std::atomic<int> syncs = 0;
  auto store = store_with({[&](Rights, SessionCall) { gate.pass(); },
                           [&] {
                             ++syncs;
                             gate.pass();
                           }});
  auto const board = add_board(store);
  gate.close();
  auto const before = syncs.load();
  auto const done = submit(store, [&](store::Tx& tx) {
    tx.add(a_task().ready());
    return append(tx);
  });
  int calls = 0;
  for (gate.await(); syncs == before; gate.await()) {
    CHECK_FALSE(is_ready(done));
    ++calls;
    gate.let_one_through();
  }
  CHECK_FALSE(is_ready(done));
  gate.open();
  done.wait();
  CHECK(calls > 5);
  CHECK(seen(store, [&](store::Tx& tx) { return tx.load(board).columns["todo"]; }) == 1);
}

/// The engine begins a sync only when the one before it has ended, where no boards are kept in files: the
/// flusher has one thread, and the writer syncs itself only while the flusher is idle.
TEST_CASE("Syncs.RunOneAtATime") {
  std::atomic<int> running = 0, most = 0, syncs = 0;
  auto store =
      store_with({{}, [&] {
                    auto const now = ++running;
                    for (auto seen = most.load(); now > seen && !most.compare_exchange_weak(seen, now);) {
                    }
                    ++syncs;
                    std::this_thread::yield();
                    --running;
                  }});
  std::vector<std::jthread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&] {
      for (int n = 0; n < 40; ++n) store::write(store, append);
    });
  threads.clear();
  CHECK(most == 1);
  CHECK(syncs > 1);
  CHECK(seen(store, [](store::Tx& tx) { return tx.last_seq(); }) == 240);
}

/// Two syncs can run at once while a board becomes one of files: then the writer syncs itself whatever the
/// flusher does. Each sync covers all commits that had finished when it began.
TEST_CASE("Syncs.MayEndInAnotherOrderThanTheyBegan") {
  std::promise<void> first_began, first_may_end;
  std::atomic<int> syncs = 0;
  HookedDriver driver{std::make_shared<MemoryDriver>(), {{}, [&] {
                                                           if (++syncs != 1) return;
                                                           first_began.set_value();
                                                           first_may_end.get_future().wait();
                                                         }}};
  store::engine::Durability durability{driver};
  durability.begin_commit();
  std::thread flusher{[&] { CHECK_FALSE(durability.reach(1).trouble); }};
  first_began.get_future().wait();
  CHECK_FALSE(durability.is_durable(1));
  durability.begin_commit();
  CHECK_FALSE(durability.reach(2).trouble);
  CHECK(durability.is_durable(1));
  CHECK(durability.is_durable(2));
  durability.await();
  first_may_end.set_value();
  flusher.join();
  CHECK(durability.is_durable(2));
}
