#include <algorithm>
#include <future>
#include <map>
#include <set>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/memory_driver/hooked_driver.hpp"

using namespace andon;
using namespace andon::test;
using store::Outcome;
using store::engine::Writes;

namespace {

std::string const kRefused = "refused";

/// A database that refuses changes of tasks with one title.
std::shared_ptr<HookedDriver> a_refusing_driver(store::StoreError::Kind kind) {
  auto const refuse = [kind](Writes const& writes) {
    for (auto const& change : writes.tasks)
      if (change.task->title == kRefused) throw store::StoreError{kind, "a refusal"};
  };
  return std::make_shared<HookedDriver>(std::make_shared<MemoryDriver>(), DriverHooks{{}, {}, refuse});
}

/// Units that run in one batch, and how each of them was answered.
class OneBatch {
 public:
  explicit OneBatch(store::Store& store) : store_(store) {
    submit("", [open = gate_.get_future().share()](store::Tx&) {
      open.wait();
      return Outcome::rollback;
    });
  }
  void submit(std::string name, store::Work work, store::Milliseconds patience = {}) {
    auto promise = std::make_shared<std::promise<void>>();
    answers_.emplace_back(std::move(name), promise->get_future());
    store_.submit(std::move(work),
                  [promise](std::exception_ptr const& trouble) {
                    if (trouble)
                      promise->set_exception(trouble);
                    else
                      promise->set_value();
                  },
                  patience, {});
  }
  void add(std::string title) {
    submit(title, [title](store::Tx& tx) {
      tx.add(a_task(title).ready());
      auto event = an_event();
      event.mutation = title;
      tx.append(event);
      return Outcome::commit;
    });
  }
  /// Runs the batch. Returns the names of the units that were answered without trouble.
  std::set<std::string> run() {
    gate_.set_value();
    std::set<std::string> out;
    for (auto& [name, answer] : answers_) try {
        answer.get();
        if (!name.empty()) out.insert(name);
      } catch (store::StoreError const& error) {
        CHECK(std::string{error.what()} == "a refusal");
      }
    return out;
  }

 private:
  store::Store& store_;
  std::promise<void> gate_;
  std::vector<std::pair<std::string, std::future<void>>> answers_;
};

std::set<std::string> titles(store::Tx& tx) {
  std::set<std::string> out;
  store::TaskFilter const all;
  auto const page = tx.list(all, {});
  for (auto const& task : page->tasks) out.insert(task.title);
  return out;
}

/// Checks that the tasks of these titles are stored, with their events and counts, and nothing else.
void check_stored(store::Store& store, std::set<std::string> const& expected) {
  store.read([&](store::Tx& tx) {
    CHECK(titles(tx) == expected);
    std::set<std::string> events;
    for (auto const& event : tx.events({})) CHECK(events.insert(event.mutation).second);
    CHECK(events == expected);
    auto const& columns = tx.load(tx.board("shop")->id).columns;
    auto const todo = columns.find("todo");
    CHECK((todo == columns.end() ? 0 : todo->second) == static_cast<std::int64_t>(expected.size()));
  });
}

}  // namespace

TEST_CASE("RefusedChanges.FailTheirOwnUnitOnly") {
  using Kind = store::StoreError::Kind;
  for (auto const kind : {Kind::other, Kind::damaged, Kind::busy}) {
    CAPTURE(static_cast<int>(kind));
    store::engine::DriverStore store{a_refusing_driver(kind), nullptr, [](auto) { FAIL("the disk works"); },
                                     store::engine::ReadingSessions::many};
    add_board(store);
    OneBatch batch{store};
    batch.add("first");
    batch.add(kRefused);
    batch.add("third");
    CHECK(batch.run() == std::set<std::string>{"first", "third"});
    check_stored(store, {"first", "third"});
  }
}

TEST_CASE("RefusedChanges.ThatAReadingUnitLooksForFailTheirOwnUnitOnly") {
  store::engine::DriverStore store{a_refusing_driver(store::StoreError::Kind::other), nullptr,
                                   [](auto) { FAIL("the disk works"); },
                                   store::engine::ReadingSessions::many};
  add_board(store);
  OneBatch batch{store};
  batch.add("first");
  batch.add(kRefused);
  std::set<std::string> seen;
  batch.submit("reader", [&](store::Tx& tx) {
    seen = titles(tx);
    return Outcome::rollback;
  });
  batch.add("third");
  CHECK(batch.run() == std::set<std::string>{"first", "reader", "third"});
  CHECK(seen == std::set<std::string>{"first"});
  check_stored(store, {"first", "third"});
}

TEST_CASE("RefusedChanges.OfAWokenUnitFailItsOwnUnitOnly") {
  store::engine::DriverStore store{a_refusing_driver(store::StoreError::Kind::other), nullptr,
                                   [](auto) { FAIL("the disk works"); },
                                   store::engine::ReadingSessions::many};
  add_board(store);
  auto const wait_for_first = [](std::string title) {
    return [title](store::Tx& tx) {
      std::optional<core::Task> found;
      tx.candidates({tx.board("shop")->id, {"todo"}, {""}, ""}, at_minute(1), [&](core::Task const& task) {
        found = task;
        return true;
      });
      if (!found) return Outcome::retry;
      tx.add(a_task(title).ready());
      auto event = an_event();
      event.mutation = title;
      tx.append(event);
      return Outcome::commit;
    };
  };
  OneBatch batch{store};
  batch.submit("woken", wait_for_first("woken"), store::Milliseconds{10'000});
  batch.submit("woken and refused", wait_for_first(kRefused), store::Milliseconds{10'000});
  batch.submit("woken last", wait_for_first("woken last"), store::Milliseconds{10'000});
  batch.submit("late", [](store::Tx&) { return Outcome::rollback; });
  batch.add("first");
  batch.add(kRefused);
  CHECK(batch.run() == std::set<std::string>{"woken", "woken last", "late", "first"});
  check_stored(store, {"woken", "woken last", "first"});
}

TEST_CASE("RefusedChanges.OnAFullDiskFailTheBatch") {
  store::engine::DriverStore store{a_refusing_driver(store::StoreError::Kind::no_space), nullptr,
                                   [](auto) { FAIL("the disk works"); },
                                   store::engine::ReadingSessions::many};
  add_board(store);
  OneBatch batch{store};
  batch.add("first");
  batch.add(kRefused);
  CHECK(batch.run().empty());
  check_stored(store, {});
}
