#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <thread>

#include "core/boards/wip.hpp"
#include "core/tasks/claim.hpp"
#include "store/contract/stores.hpp"
#include "store/engine/unit/write.hpp"
#include "support/store_digest.hpp"

using namespace andon;
using namespace andon::test;
using store::Outcome;

namespace {

/// A unit of work on its way.
struct Pending {
  std::promise<void> promise;
  std::future<void> finished = promise.get_future();
};

std::shared_ptr<Pending> submit(store::Store& store, store::Work work, store::Milliseconds patience = {}) {
  auto pending = std::make_shared<Pending>();
  store.submit(
      std::move(work),
      [pending](std::exception_ptr trouble) {
        if (trouble)
          pending->promise.set_exception(std::move(trouble));
        else
          pending->promise.set_value();
      },
      patience);
  return pending;
}

using Now = std::function<core::Instant()>;

/// A clock that goes on a little with every look at it.
Now a_clock() {
  return [looks = 0]() mutable { return at_minute(0) + store::Milliseconds{20} * looks++; };
}

Now a_stopped_clock() {
  return [] { return at_minute(0); };
}

/// A pick that waits: takes the first ready task for `holder`, and says so.
store::Work a_waiting_pick(core::BoardId board, std::string queue_key, std::atomic<std::int64_t>& got,
                           Now now = a_stopped_clock()) {
  return [board, queue_key, &got, now](store::Tx& tx) {
    std::optional<core::Task> found;
    tx.candidates({board, {"todo"}, {queue_key}, ""}, now(), [&](core::Task const& task) {
      found = task;
      return true;
    });
    if (!found) return Outcome::retry;
    found->status = "doing";
    found->claimed_by = "bob";
    found->epoch = core::next(found->epoch);
    tx.put(*found);
    tx.append(an_event(core::EventKind::task_claimed, found->id));
    got = found->id;
    return Outcome::commit;
  };
}

constexpr store::Milliseconds kLong{60'000};

bool ends_before_its_patience(Pending& pending) {
  return pending.finished.wait_for(kLong / 3) == std::future_status::ready;
}

}  // namespace

TEST_CASE("Units.ThatAreDiscardedLeaveNothing") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    auto const task = add_task(*store).id;
    auto const before = store_digest(*store);
    store::write(*store, [&](store::Tx& tx) {
      auto changed = *tx.task(task);
      changed.status = "doing";
      tx.put(changed);
      tx.add(core::Task(a_task()));
      tx.append(an_event());
      CHECK(tx.last_seq() == 1);
      CHECK(tx.load(board).columns["doing"] == 1);
      tx.set_setting("colour", "red");
      tx.remember("key", {"f", "{}", at_minute(0)});
      core::Worker worker;
      worker.name = "dev";
      tx.put(worker);
      return Outcome::rollback;
    });
    CHECK(store_digest(*store) == before);
    keep(*store, [&](auto& tx) {
      CHECK_FALSE(tx.worker("dev"));
      CHECK_FALSE(tx.remembered("key"));
      CHECK(tx.load(board).columns["doing"] == 0);
    });
  });
}

TEST_CASE("Units.ThatThrowLeaveNothingAndSpareTheirNeighbours") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const first =
        submit(*store, [](store::Tx& tx) { return tx.add(core::Task(a_task("kept"))), Outcome::commit; });
    auto const bad = submit(*store, [](store::Tx& tx) -> Outcome {
      tx.add(core::Task(a_task("lost")));
      throw std::runtime_error{"a defect"};
    });
    auto const last =
        submit(*store, [](store::Tx& tx) { return tx.add(core::Task(a_task("kept"))), Outcome::commit; });
    first->finished.get();
    last->finished.get();
    CHECK_THROWS_WITH(bad->finished.get(), "a defect");
    auto const page = seen(*store, [](auto& tx) { return *tx.list({}, {}); });
    REQUIRE(page.tasks.size() == 2);
    for (auto const& task : page.tasks) CHECK(task.title == "kept");
  });
}

TEST_CASE("Units.ThatGiveUpAfterTheyWroteSpareAllOthersOfTheirBatch") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    std::promise<void> together;
    auto const add = [](store::Tx& tx, core::Task const& task) {
      tx.append(an_event());
      return tx.add(task).id;
    };
    std::atomic<std::int64_t> one{0}, two{0}, got{0};
    std::vector<std::shared_ptr<Pending>> units;
    units.push_back(submit(*store, [&, gate = together.get_future().share()](store::Tx&) {
      return gate.wait(), Outcome::rollback;
    }));
    units.push_back(submit(*store, a_waiting_pick(board, "", got), kLong));
    units.push_back(submit(*store, [&](store::Tx& tx) {
      return one = add(tx, a_task("kept").for_role("qa").ready()), Outcome::commit;
    }));
    units.push_back(submit(*store, [&](store::Tx& tx) {
      add(tx, a_task("lost").ready());
      tx.set_setting("colour", "red");
      core::Worker worker;
      worker.name = "dev";
      tx.put(worker);
      return Outcome::rollback;
    }));
    units.push_back(submit(
        *store, [&](store::Tx& tx) { return two = add(tx, a_task("kept").ready()), Outcome::commit; }));
    together.set_value();
    for (auto const& unit : units) unit->finished.get();
    CHECK(one == 1);
    CHECK(two == 2);
    CHECK(got == two);
    auto const is_right = keep(*store, [&](auto& tx) {
      bool const has_more = tx.task(3) || tx.setting("colour") || tx.worker("dev") || tx.last_seq() != 3;
      return !has_more && tx.task(1)->title == "kept" && tx.task(2)->title == "kept";
    });
    CHECK(is_right);
  });
}

TEST_CASE("Units.ThatSwallowAFailureAreNotKept") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const before = store_digest(*store);
    CHECK_THROWS_AS(keep(*store,
                         [](store::Tx& tx) {
                           core::Board const same_name = a_board();
                           tx.set_setting("a", "b");
                           try {
                             tx.add(same_name);
                           } catch (store::StoreError const&) {
                           }
                         }),
                    store::StoreError);
    CHECK(store_digest(*store) == before);
  });
}

TEST_CASE("Units.ThatReadMayNotWrite") {
  for_each_store([](StoreUnderTest& store) {
    CHECK_THROWS_AS(store->read([](store::Tx& tx) { tx.set_setting("a", "b"); }), std::logic_error);
    CHECK_FALSE(seen(*store, [](auto& tx) { return tx.setting("a"); }));
  });
}

TEST_CASE("Units.MaySubmitUnits") {
  for_each_store([](StoreUnderTest& store) {
    if (store.repeats_units()) return;
    std::promise<void> promise;
    store->submit(
        [&](store::Tx& tx) {
          tx.set_setting("outer", "1");
          store->submit([](store::Tx& inner) { return inner.set_setting("inner", "1"), Outcome::commit; },
                        [&](std::exception_ptr) { promise.set_value(); });
          return Outcome::commit;
        },
        [](std::exception_ptr) {});
    promise.get_future().get();
    CHECK(seen(*store, [](auto& tx) { return tx.settings().size(); }) == 2);
  });
}

TEST_CASE("Events.AreNumberedWithoutGapsByManyThreads") {
  for_each_store([](StoreUnderTest& store) {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (int n = 0; n < 40; ++n)
          store::write(*store, [&](store::Tx& tx) {
            tx.append(an_event());
            if (n % 2) tx.append(an_event());
            return (n + t) % 3 == 0 ? Outcome::rollback : Outcome::commit;
          });
      });
    threads.clear();
    auto const events = seen(*store, [](auto& tx) { return tx.events({0, {}, {}, {}, {}, 10'000, false}); });
    CHECK(events.size() > 200);
    for (std::size_t i = 0; i < events.size(); ++i)
      REQUIRE(events[i].seq == static_cast<std::int64_t>(i) + 1);
    CHECK(seen(*store, [](auto& tx) { return tx.last_seq(); }) == static_cast<std::int64_t>(events.size()));
  });
}

TEST_CASE("Listeners.HearTheLastNumberOfEachCommit") {
  for_each_store([](StoreUnderTest& store) {
    std::atomic<std::int64_t> heard{0};
    store->on_commit([&](std::int64_t seq) { heard = seq; });
    keep(*store, [](auto& tx) { tx.append(an_event()), tx.append(an_event()); });
    store->close();
    CHECK(heard == 2);
  });
}

TEST_CASE("Parking.HandsATaskOverInTheCommitThatAddsIt") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    std::atomic<std::int64_t> got{0}, other{0};
    auto const pick = submit(*store, a_waiting_pick(board, "", got), kLong);
    auto const elsewhere = submit(*store, a_waiting_pick(board, "r:qa", other), kLong);
    std::atomic<int> commits{0};
    store->on_commit([&](std::int64_t) { ++commits; });
    auto const id = keep(*store, [](store::Tx& tx) {
      tx.append(an_event());
      return tx.add(core::Task(a_task().ready())).id;
    });
    pick->finished.get();
    CHECK(got == id);
    CHECK(other == 0);
    CHECK(seen(*store, [](auto& tx) { return tx.last_seq(); }) == 2);
    store->close();
    CHECK(commits == 1);
    elsewhere->finished.get();
    CHECK(other == 0);
  });
}

TEST_CASE("Parking.ServesThoseFirstWhoCameFirst") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    std::vector<std::atomic<std::int64_t>> got(20);
    std::vector<std::shared_ptr<Pending>> picks;
    for (auto& slot : got) picks.push_back(submit(*store, a_waiting_pick(board, "", slot), kLong));
    for (std::size_t n = 0; n < got.size(); ++n) {
      auto const id = add_task(*store, a_task().ready()).id;
      picks[n]->finished.get();
      CHECK(got[n] == id);
    }
  });
}

TEST_CASE("Parking.WakesWhenALimitIsFreed") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store, a_board().limited("doing", 1));
    auto const busy = add_task(*store, a_task().in("doing")).id;
    add_task(*store, a_task().ready());
    auto const pick = submit(
        *store,
        [&](store::Tx& tx) {
          bool const full = core::is_full(*core::find_column(*tx.board(board), "doing"), tx.load(board));
          bool found = false;
          tx.candidates({board, {"todo"}, {""}, ""}, at_minute(0),
                        [&](auto const&) { return found = !full; });
          if (!found) return Outcome::retry;
          tx.set_setting("picked", "yes");
          return Outcome::commit;
        },
        kLong);
    change_task(*store, busy, [](core::Task& task) { task.status = "done"; });
    pick->finished.get();
    CHECK(seen(*store, [](auto& tx) { return tx.setting("picked"); }) == "yes");
  });
}

TEST_CASE("Parking.WakesWhenARunEndsAndWhenItsWorkHasLanded") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    auto const task = add_task(*store, a_task().in("done")).id;
    add_task(*store, a_task().ready());
    core::Run run;
    run.task = task;
    run.state = core::RunState::ended;
    run.landing = core::Landing{core::LandingState::waiting, {}, {}, {}, at_minute(0)};
    run.id = keep(*store, [&](store::Tx& tx) { return tx.add(run); });
    auto const change = [&](auto const& what) {
      auto const pick = submit(
          *store,
          [&, before = run](store::Tx& tx) {
            auto const now = *tx.run(before.id);
            bool const changed = now.state != before.state || now.landing != before.landing;
            bool found = false;
            tx.candidates({board, {"todo"}, {""}, ""}, at_minute(0),
                          [&](auto const&) { return found = changed; });
            return found ? Outcome::commit : Outcome::retry;
          },
          kLong);
      what();
      keep(*store, [&](store::Tx& tx) { tx.put(run); });
      CHECK(ends_before_its_patience(*pick));
    };
    change([&] { run.landing->state = core::LandingState::landed; });
    run.landing.reset();
    run.state = core::RunState::running;
    run.id = keep(*store, [&](store::Tx& tx) { return tx.add(run); });
    change([&] { run.state = core::RunState::ended; });
    store->close();
  });
}

TEST_CASE("Parking.WakesWhenTheTimeOfATaskHasCome") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    auto const soon = at_minute(0) + store::Milliseconds{20};
    add_task(*store, a_task().ready().not_before(at_minute(100'000'000)));
    std::atomic<std::int64_t> got{0};
    for (auto task : {a_task().ready().not_before(soon), a_task().ready().claimed_by("eve", soon)}) {
      auto const id = add_task(*store, task).id;
      auto const pick = submit(*store, a_waiting_pick(board, "", got, a_clock()), kLong);
      CHECK(ends_before_its_patience(*pick));
      CHECK(got == id);
    }
    store->close();
  });
}

TEST_CASE("Parking.WakesWhenATimeHasComeThatWasSetMeanwhile") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    std::atomic<std::int64_t> got{0};
    for (auto const time : {at_minute(0) + store::Milliseconds{20}, at_minute(-1)}) {
      auto const id = add_task(*store, a_task().ready().not_before(at_minute(100'000))).id;
      auto const pick = submit(*store, a_waiting_pick(board, "", got, a_clock()), kLong);
      change_task(*store, id, [&](core::Task& task) { task.not_before = time; });
      CHECK(ends_before_its_patience(*pick));
      CHECK(got == id);
    }
    store->close();
  });
}

TEST_CASE("Parking.WakesWhenAClaimEndsThatHeldFiles") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    auto const soon = at_minute(0) + store::Milliseconds{20};
    auto const held =
        add_task(*store, a_task().ready().blocked().claimed_by("eve", soon).touching("src/**")).id;
    add_task(*store, a_task().ready().touching("src/a.cpp"));
    auto const pick = submit(
        *store,
        [&, clock = a_clock()](store::Tx& tx) mutable {
          auto const now = clock();
          bool found = false;
          tx.candidates({board, {"todo"}, {""}, ""}, now,
                        [&](auto const&) { return found = !core::is_claimed(*tx.task(held), now); });
          return found ? Outcome::commit : Outcome::retry;
        },
        kLong);
    CHECK(ends_before_its_patience(*pick));
    store->close();
  });
}

TEST_CASE("Parking.EndsWithPatience") {
  for_each_store([](StoreUnderTest& store) {
    int runs = 0;
    auto const pick = submit(
        *store,
        [&](store::Tx& tx) {
          ++runs;
          tx.set_setting("tried", "yes");
          return Outcome::retry;
        },
        store::Milliseconds{1});
    pick->finished.get();
    CHECK(runs >= 2);
    CHECK_FALSE(seen(*store, [](auto& tx) { return tx.setting("tried"); }));
    runs = 0;
    auto const impatient = submit(*store, [&](store::Tx&) { return ++runs, Outcome::retry; });
    impatient->finished.get();
    CHECK(runs == 1);
  });
}

TEST_CASE("Queue.RefusesWhatItCannotHold") {
  for_each_store([](StoreUnderTest& store) {
    std::promise<void> gate;
    auto opened = gate.get_future().share();
    auto const first = submit(*store, [opened](store::Tx&) { return opened.wait(), Outcome::rollback; });
    std::atomic<int> busy{0}, done{0};
    for (int n = 0; n < 10'000; ++n)
      store->submit([](store::Tx&) { return Outcome::rollback; },
                    [&](std::exception_ptr trouble) {
                      ++done;
                      try {
                        if (trouble) std::rethrow_exception(trouble);
                      } catch (store::StoreError const& error) {
                        if (error.kind() == store::StoreError::Kind::busy) ++busy;
                      }
                    });
    gate.set_value();
    first->finished.get();
    store->close();
    CHECK(busy > 1'000);
    CHECK(busy < 6'000);
    CHECK(done == 10'000);
  });
}

TEST_CASE("Stores.ThatAreClosedRefuse") {
  for_each_store([](StoreUnderTest& store) {
    store->close();
    CHECK_THROWS_AS(keep(*store, [](auto&) {}), store::StoreError);
    CHECK_THROWS_AS(store->read([](auto&) {}), store::StoreError);
  });
}

TEST_CASE("Parking.IsNotDisturbedByWhatConcernsNoPick") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards() || store.repeats_units()) return;
    auto const board = add_board(*store);
    auto const holder = add_task(*store, a_task().in("doing").touching("**")).id;
    auto const ready = add_task(*store, a_task().ready().touching("src/a")).id;
    int runs = 0, offered = 0;
    auto const pick = submit(
        *store,
        [&](store::Tx& tx) {
          ++runs;
          auto const asked = tx.setting("asked");
          tx.offer({board, {"todo"}, {""}, ""}, at_minute(0), [&](core::Task const&) {
            ++offered;
            return store::PickAnswer::held;
          });
          return asked == "yes" ? Outcome::commit : Outcome::retry;
        },
        kLong);
    for (auto const id : {holder, ready, holder, ready})
      change_task(*store, id, [](core::Task& task) { ++task.state.notes; });
    keep(*store, [](store::Tx& tx) { tx.append(an_event(core::EventKind::task_noted, 1)); });
    keep(*store, [](store::Tx& tx) { tx.set_setting("other", "yes"); });
    CHECK(runs == 1);
    CHECK(offered == 1);
    add_task(*store, a_task().ready().touching("src/b"));
    CHECK(runs == 2);
    CHECK(offered == 2);
    keep(*store, [](store::Tx& tx) { tx.set_setting("asked", "yes"); });
    CHECK(ends_before_its_patience(*pick));
    CHECK(offered == 2);
  });
}

TEST_CASE("Units.ThatReadForTooLongAreGivenUp") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    keep(*store, [](store::Tx& tx) {
      for (int n = 0; n < 300; ++n) tx.add(core::Task(a_task("Cart " + std::to_string(n))));
    });
    store::TaskFilter filter;
    filter.text = "nowhere";
    auto const found = [&](store::Milliseconds most, std::shared_ptr<std::atomic<bool>> const& abandoned) {
      return seen(*store, [&](store::Tx& tx) {
        tx.give_up_after(most, abandoned);
        return tx.count(filter);
      });
    };
    auto const trouble = [&](store::Milliseconds most, bool abandoned) {
      try {
        found(most, std::make_shared<std::atomic<bool>>(abandoned));
      } catch (store::StoreError const& error) {
        return error.kind();
      }
      return store::StoreError::Kind::other;
    };
    CHECK(trouble(store::Milliseconds{0}, false) == store::StoreError::Kind::overlong);
    CHECK(trouble(kLong, true) == store::StoreError::Kind::overlong);
    CHECK(found(kLong, {}) == 0);
    CHECK(seen(*store, [&](store::Tx& tx) { return tx.count(filter); }) == 0);
  });
}

TEST_CASE("Units.ThatAreUrgentPassThoseThatCameBefore") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    std::promise<void> entered, together;
    std::vector<std::string> order;
    std::vector<std::shared_ptr<Pending>> units;
    auto const noted = [&](std::string name) {
      return [&order, name](store::Tx&) { return order.push_back(name), Outcome::rollback; };
    };
    auto const urgent = [&](std::string name) {
      auto pending = std::make_shared<Pending>();
      store->submit(noted(std::move(name)),
                    [pending](std::exception_ptr const&) { pending->promise.set_value(); }, {},
                    {.name = "heartbeat", .urgency = store::Urgency::urgent});
      units.push_back(pending);
    };
    units.push_back(submit(*store, [&, gate = together.get_future().share()](store::Tx&) {
      entered.set_value();
      return gate.wait(), Outcome::rollback;
    }));
    entered.get_future().wait();
    units.push_back(submit(*store, noted("first")));
    units.push_back(submit(*store, noted("second")));
    urgent("renewal of ann");
    urgent("renewal of bob");
    together.set_value();
    for (auto const& unit : units) unit->finished.wait();
    CHECK(order == std::vector<std::string>{"renewal of ann", "renewal of bob", "first", "second"});
    CHECK(store->writer_times().totals().slowest_urgent.count() > 0);
  });
}

TEST_CASE("Units.BeyondTheirBoundAreTold") {
  for_each_store([](StoreUnderTest& store) {
    std::vector<std::string> told;
    store->writer_times().on_long_act([&](store::LongAct const& act) { told.push_back(act.name); });
    auto const run = [&](std::string_view name, std::chrono::milliseconds bound) {
      auto const pending = std::make_shared<Pending>();
      store->submit(
          [](store::Tx&) {
            auto const end = std::chrono::steady_clock::now() + std::chrono::milliseconds{3};
            while (std::chrono::steady_clock::now() < end) {
            }
            return Outcome::rollback;
          },
          [pending](std::exception_ptr const&) { pending->promise.set_value(); }, {},
          {.name = name, .bound = bound});
      pending->finished.wait();
    };
    run("short", std::chrono::minutes{1});
    run("long", std::chrono::milliseconds{1});
    CHECK(std::ranges::count(told, "long") == 1);
    CHECK(std::ranges::count(told, "short") == 0);
    auto const units = store->writer_times().totals().acts.front();
    CHECK(units.beyond_bound >= 1);
    CHECK(units.most.time >= std::chrono::milliseconds{3});
  });
}
