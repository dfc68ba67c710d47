#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <set>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/memory_driver/hooked_driver.hpp"

using namespace andon;
using namespace andon::test;
using store::Outcome;
using store::engine::Rights;

namespace {

/// Fails one call of the session that writes.
class Fault {
 public:
  /// The next `call`-th call fails; 0 for none.
  void arm(int call) {
    left_ = call;
    has_struck_ = false;
  }
  void note(Rights rights) {
    if (rights != Rights::write || left_ == 0 || --left_ > 0) return;
    has_struck_ = true;
    throw store::StoreError{store::StoreError::Kind::other, "a fault"};
  }
  bool has_struck() const { return has_struck_; }

 private:
  std::atomic<int> left_ = 0;
  std::atomic<bool> has_struck_ = false;
};

std::string const kHolder = "claimer";

/// What each unit of the scenario does, besides its mark.
using Act = std::function<void(store::Tx&)>;

using Unit = std::function<Outcome(store::Tx&)>;

/// A unit writes a setting and an event of its name, so that a half of it is seen.
Unit a_unit(std::string name, Act act, Outcome outcome = Outcome::commit) {
  return [name = std::move(name), act = std::move(act), outcome](store::Tx& tx) {
    tx.set_setting(name, "kept");
    act(tx);
    auto event = an_event();
    event.mutation = name;
    tx.append(event);
    return outcome;
  };
}

Act add(std::string title) {
  return [title = std::move(title)](store::Tx& tx) { tx.add(a_task(title).ready().tagged("qa").due(9)); };
}

void claim(store::Tx& tx) {
  std::optional<core::Task> found;
  tx.candidates({tx.board("shop")->id, {"todo"}, {""}, ""}, at_minute(1), [&](core::Task const& task) {
    found = task;
    return true;
  });
  if (!found) throw std::runtime_error{"nothing to claim"};
  found->status = "doing";
  found->assignee = found->claimed_by = kHolder;
  found->rev = core::next(found->rev);
  tx.put(*found);
}

void complete(store::Tx& tx) {
  store::TaskFilter claimed;
  claimed.assignee = kHolder;
  auto tasks = tx.list(claimed, {})->tasks;
  if (tasks.empty()) throw std::runtime_error{"nothing to complete"};
  auto& task = tasks.front();
  task.status = "done";
  task.completed = at_minute(2);
  task.rev = core::next(task.rev);
  tx.put(task);
}

/// Runs units and remembers which of them were answered without trouble.
class Scenario {
 public:
  explicit Scenario(store::Store& store) : store_(store) {}

  void run() {
    together({{"add", a_unit("add", add("add"))}});
    together({{"claim", a_unit("claim", claim)}});
    together({{"complete", a_unit("complete", complete)}});
    together({{"first", a_unit("first", add("first"))},
              {"undone", a_unit("undone", add("undone"), Outcome::rollback)},
              {"last", a_unit("last", add("last"))}});
    kept_.erase("undone");
  }
  std::set<std::string> const& kept() const { return kept_; }

 private:
  struct Pending {
    std::string name;
    std::future<void> done;
  };

  /// Submits the units while another one holds the writer.
  void together(std::vector<std::pair<std::string, Unit>> units) {
    std::promise<void> gate;
    std::vector<Pending> pending;
    pending.push_back({"", submit([open = gate.get_future().share()](store::Tx&) {
                         open.wait();
                         return Outcome::rollback;
                       })});
    for (auto& [name, work] : units) pending.push_back({name, submit(std::move(work))});
    gate.set_value();
    for (auto& unit : pending) try {
        unit.done.get();
        kept_.insert(unit.name);
      } catch (std::exception const&) {
        continue;
      }
    kept_.erase("");
  }

  std::future<void> submit(store::Work work) {
    auto promise = std::make_shared<std::promise<void>>();
    store_.submit(std::move(work), [promise](std::exception_ptr trouble) {
      if (trouble)
        promise->set_exception(std::move(trouble));
      else
        promise->set_value();
    });
    return promise->get_future();
  }

  store::Store& store_;
  std::set<std::string> kept_;
};

using Tallied = std::map<std::string, std::int64_t>;

/// Checks that the counters are those of a recount.
void check_counts(store::Tx& tx, std::vector<core::Task> const& tasks) {
  auto const board = tx.board("shop")->id;
  Tallied columns, tags, tallied;
  for (auto const& task : tasks) {
    ++columns[task.status];
    for (auto const& tag : task.tags) ++tags[task.status + "/" + tag];
  }
  auto const load = tx.load(board);
  CHECK(Tallied(load.columns.begin(), load.columns.end()) == columns);
  for (auto const& tally : tx.tally(board, {"todo", "doing", "done"}, store::Facet::tag, {}))
    tallied[tally.status + "/" + tally.value] = tally.count;
  CHECK(tallied == tags);
  std::int64_t finished = 0;
  for (auto const& total : tx.finished_totals(board, {})) finished += total.n;
  CHECK(finished == columns["done"]);
}

void check(store::Tx& tx, std::set<std::string> const& kept) {
  std::set<std::string> settings, events, titles;
  for (auto const& [name, value] : tx.settings()) settings.insert(name);
  CHECK(settings == kept);
  core::EventSeq last = 0;
  for (auto const& event : tx.events({})) {
    CHECK(event.seq == core::next(last));
    last = event.seq;
    CHECK(events.insert(event.mutation).second);
  }
  CHECK(events == kept);
  CHECK(tx.last_seq() == last);
  store::TaskFilter everything;
  auto const tasks = tx.list(everything, {})->tasks;
  for (auto const& task : tasks) titles.insert(task.title);
  auto adding = kept;
  adding.erase("claim");
  adding.erase("complete");
  CHECK(titles == adding);
  CHECK(std::ranges::count(tasks, kHolder, &core::Task::assignee) == (kept.contains("claim") ? 1 : 0));
  CHECK(std::ranges::count(tasks, "done", &core::Task::status) == (kept.contains("complete") ? 1 : 0));
  check_counts(tx, tasks);
}

void check_store(store::Store& store, std::set<std::string> const& kept) {
  store.read([&](store::Tx& tx) { check(tx, kept); });
  keep(store, [&](store::Tx& tx) { check(tx, kept); });
}

}  // namespace

TEST_CASE("Faults.OfAnyCallLeaveNoUnitHalfDone") {
  constexpr int kMostCalls = 500;
  int call = 1;
  Fault fault;
  for (bool has_struck = true; has_struck && call < kMostCalls; ++call) {
    CAPTURE(call);
    auto const memory = std::make_shared<MemoryDriver>();
    bool is_rollback = false;
    auto const on_call = [&](Rights rights, SessionCall what) {
      try {
        fault.note(rights);
      } catch (store::StoreError const&) {
        is_rollback = what == SessionCall::rollback;
        throw;
      }
    };
    std::atomic<bool> is_fatal = false;
    auto kept = [&] {
      store::engine::DriverStore store{std::make_shared<HookedDriver>(memory, DriverHooks{on_call, {}}),
                                       nullptr, [&](auto) { is_fatal = true; },
                                       store::engine::ReadingSessions::many};
      add_board(store);
      Scenario scenario{store};
      fault.arm(call);
      scenario.run();
      has_struck = fault.has_struck();
      fault.arm(0);
      auto out = scenario.kept();
      if (!has_struck) CHECK(out.size() == 5);
      if (is_rollback) return out;  // nothing may be written any more
      check_store(store, out);
      store::write(store, a_unit("next", add("next")));
      out.insert("next");
      check_store(store, out);
      return out;
    }();
    CHECK(is_fatal == is_rollback);
    store::engine::DriverStore again{memory, nullptr, [](auto) {}, store::engine::ReadingSessions::many};
    check_store(again, kept);
  }
  CHECK(call > 50);
  CHECK(call < kMostCalls);
}

TEST_CASE("Faults.OfAReaderEndItsUnitOnly") {
  auto const memory = std::make_shared<MemoryDriver>();
  std::atomic<int> left = 0;
  auto const on_call = [&](Rights rights, SessionCall) {
    if (rights == Rights::read && left > 0 && --left == 0)
      throw store::StoreError{store::StoreError::Kind::other, "a fault"};
  };
  store::engine::DriverStore store{std::make_shared<HookedDriver>(memory, DriverHooks{on_call, {}}), nullptr,
                                   [](auto) { FAIL("the disk works"); },
                                   store::engine::ReadingSessions::many};
  add_board(store);
  add_task(store);
  auto const count = [&] { return seen(store, [](store::Tx& tx) { return tx.count({}); }); };
  for (int call = 1; call <= 4; ++call) {
    CAPTURE(call);
    left = call;
    CHECK_THROWS_WITH(count(), "a fault");
    left = 0;
    CHECK(count() == 1);
  }
}
