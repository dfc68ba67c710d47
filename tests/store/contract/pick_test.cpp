#include "core/tasks/pick.hpp"

#include <algorithm>
#include <future>
#include <random>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace andon::test;

namespace {

std::vector<core::TaskId> offered(store::Store& store, store::PickScope const& scope, core::Instant now) {
  std::vector<core::TaskId> out;
  store.read([&](store::Tx& tx) {
    tx.candidates(scope, now, [&](core::Task const& task) {
      out.push_back(task.id);
      return false;
    });
  });
  return out;
}

/// The same through the writer, which marks tasks whose time has come.
std::vector<core::TaskId> offered_to_writer(store::Store& store, store::PickScope const& scope,
                                            core::Instant now) {
  std::vector<core::TaskId> out;
  store::write(store, [&](store::Tx& tx) {
    out.clear();
    tx.candidates(scope, now, [&](core::Task const& task) {
      out.push_back(task.id);
      return false;
    });
    return store::Outcome::rollback;
  });
  return out;
}

using Ids = std::vector<core::TaskId>;

}  // namespace

TEST_CASE("Pick.OffersInTheOrderOfCore") {
  for_each_store([](StoreUnderTest& store) {
    std::mt19937 random{7};
    auto const one_of = [&](auto const& list) { return list[random() % std::size(list)]; };
    auto const id = add_board(*store);
    core::Worker dev;
    dev.name = "dev";
    keep(*store, [&](auto& tx) { tx.put(dev); });
    char const* const columns[] = {"backlog", "todo", "doing", "done"};
    char const* const priorities[] = {"low", "medium", "high", "critical", "unknown"};
    char const* const classes[] = {"", "expedite", "fixed-date", "standard", "intangible", "unknown"};
    char const* const names[] = {"", "", "dev", "ann"};
    char const* const roles[] = {"", "qa", "coder"};
    for (int n = 0; n < 400; ++n) {
      auto task = a_task().in(one_of(columns)).priority(one_of(priorities)).of_class(one_of(classes));
      task.assigned_to(one_of(names)).for_role(one_of(roles));
      if (random() % 2) task.due(20'000 + static_cast<int>(random() % 5));
      if (random() % 3 == 0) task.ranked(std::string(1, static_cast<char>('a' + random() % 4)));
      if (random() % 8 == 0) task.blocked();
      if (random() % 8 == 0) task.not_before(at_minute(static_cast<int>(random() % 20)));
      if (random() % 8 == 0) task.claimed_by("eve", at_minute(static_cast<int>(random() % 20)));
      add_task(*store, task);
    }
    for (std::string const class_first : {"", "standard", "intangible"})
      for (bool const registered : {true, false}) {
        auto const now = at_minute(10);
        core::Picker const picker{registered ? "dev" : "ann", "qa", registered, true};
        store::PickScope const scope{id, {"todo", "doing"}, core::queue_keys(a_board(), picker), class_first};
        std::vector<core::PreferredPickKey> expected;
        store->read([&](store::Tx& tx) {
          auto const& board = *tx.board(id);
          auto const listed = tx.list({}, {1000, {}, store::TaskOrder::id, false});
          for (auto const& task : listed->tasks) {
            auto const from = core::pickable_from(task);
            auto const queue_key = core::queue_key(board, task);
            if (from && *from <= now && std::ranges::count(scope.columns, task.status) &&
                std::ranges::count(scope.queue_keys, queue_key))
              expected.push_back(core::pick_key(board, task, class_first));
          }
        });
        std::ranges::sort(expected);
        Ids ids;
        for (auto const& [later, key] : expected) ids.push_back(key.id);
        REQUIRE(ids.size() > 20);
        CHECK(offered(*store, scope, now) == ids);
        CHECK(offered_to_writer(*store, scope, now) == ids);
        CHECK(offered(*store, scope, now) == ids);
      }
  });
}

TEST_CASE("Pick.StopsWhenATaskIsTaken") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    for (int n = 0; n < 3; ++n) add_task(*store, a_task().ready());
    int asked = 0;
    store->read([&](store::Tx& tx) {
      tx.candidates({id, {"todo"}, {""}, ""}, at_minute(0), [&](auto const&) { return ++asked == 2; });
    });
    CHECK(asked == 2);
  });
}

TEST_CASE("Pick.OffersTheTasksOfAnyAskedTagOnceInPickOrder") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    auto const last = add_task(*store, a_task().ready().tagged("api").tagged("web").priority("low")).id;
    add_task(*store, a_task().ready());
    add_task(*store, a_task().ready().tagged("Api"));
    auto const first = add_task(*store, a_task().ready().tagged("api").priority("high")).id;
    auto const later = add_task(*store, a_task().ready().tagged("web").not_before(at_minute(5))).id;
    add_task(*store, a_task().ready().tagged("web").blocked());
    store::PickScope const scope{id, {"todo"}, {""}, "", {"api", "web", "none"}};
    CHECK(offered(*store, scope, at_minute(0)) == Ids{first, last});
    CHECK(offered(*store, scope, at_minute(5)) == Ids{first, later, last});
    CHECK(offered_to_writer(*store, scope, at_minute(5)) == Ids{first, later, last});

    change_task(*store, last, [](auto& task) { task.tags = {"other"}; });
    change_task(*store, first, [](auto& task) { task.role = "qa"; });
    CHECK(offered(*store, scope, at_minute(5)) == Ids{later});
    CHECK(offered(*store, {id, {"todo"}, {"", "r:qa"}, "", {"other", "api"}}, at_minute(0)) ==
          Ids{first, last});
    CHECK(offered(*store, {id, {"todo"}, {"r:qa"}, "standard", {"api"}}, at_minute(0)) == Ids{first});
    change_task(*store, first, [](auto& task) { task.blocked = true; });
    CHECK(offered(*store, {id, {"todo"}, {"r:qa"}, "", {"api"}}, at_minute(0)).empty());
  });
}

TEST_CASE("Pick.OffersAnExpiredClaimWithoutASweep") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    auto const task = add_task(*store, a_task().ready().claimed_by("bob", at_minute(10))).id;
    store::PickScope const scope{id, {"todo"}, {""}, ""};
    CHECK(offered(*store, scope, at_minute(9)).empty());
    CHECK(offered(*store, scope, at_minute(10)) == Ids{task});
    CHECK(offered_to_writer(*store, scope, at_minute(10)) == Ids{task});
    CHECK(offered_to_writer(*store, scope, at_minute(9)).empty());
  });
}

TEST_CASE("Pick.OffersAnAssigneesTasksWhetherOrNotItIsAWorker") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    auto const task = add_task(*store, a_task().ready().assigned_to("dev")).id;
    store::PickScope const scope{id, {"todo"}, {"w:dev"}, ""};
    core::Worker dev;
    dev.name = "dev";
    CHECK(offered(*store, scope, at_minute(0)) == Ids{task});
    keep(*store, [&](auto& tx) { tx.put(dev); });
    CHECK(offered(*store, scope, at_minute(0)) == Ids{task});
    keep(*store, [](auto& tx) { tx.remove_worker("dev"); });
    CHECK(offered(*store, scope, at_minute(0)) == Ids{task});
  });
}

TEST_CASE("Pick.FollowsABoardThatReordersItsClasses") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    auto const standard = add_task(*store, a_task().ready()).id;
    auto const intangible = add_task(*store, a_task().ready().of_class("intangible")).id;
    store::PickScope const scope{id, {"todo"}, {""}, ""};
    CHECK(offered(*store, scope, at_minute(0)) == Ids{standard, intangible});
    keep(*store, [&](auto& tx) {
      auto board = *tx.board(id);
      std::ranges::reverse(board.classes);
      tx.put(board);
    });
    CHECK(offered(*store, scope, at_minute(0)) == Ids{intangible, standard});
  });
}

TEST_CASE("Pick.OffersWhatWaitsForRoomInPickOrder") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    auto const approved = [&](core::Task task) {
      task.approved = true;
      return add_task(*store, std::move(task)).id;
    };
    auto const low = approved(a_task().priority("low")), high = approved(a_task().priority("high"));
    approved(a_task().blocked());
    approved(a_task().waiting_for(low));
    approved(a_task().ready());
    add_task(*store, a_task());
    auto const offered = [&] {
      return seen(*store, [&](auto& tx) {
        Ids out;
        tx.waiting_for_room(id, [&](core::Task const& task) {
          out.push_back(task.id);
          return false;
        });
        return out;
      });
    };
    CHECK(offered() == Ids{high, low});
    keep(*store, [&](auto& tx) {
      auto task = tx.task(high).value();
      task.status = "todo";
      tx.put(task);
    });
    CHECK(offered() == Ids{low});
  });
}

TEST_CASE("Pick.OffersAllTasksThatWaitForRoomOnceAndInOrder") {
  for_each_store([](StoreUnderTest& store) {
    constexpr int kTasks = 100;
    auto const id = add_board(*store);
    keep(*store, [&](auto& tx) {
      for (int n = 0; n < kTasks; ++n) {
        auto task = core::Task(a_task());
        task.priority = n % 2 == 0 ? "low" : "high";
        task.approved = true;
        tx.add(task);
      }
    });
    auto const offered = seen(*store, [&](auto& tx) {
      std::vector<core::PickKey> out;
      tx.waiting_for_room(id, [&](core::Task const& task) {
        out.push_back(core::pick_key(*tx.board(id), task));
        return false;
      });
      return out;
    });
    CHECK(offered.size() == kTasks);
    CHECK(std::ranges::is_sorted(offered));
    CHECK(std::ranges::adjacent_find(offered) == offered.end());
  });
}

TEST_CASE("Pick.CountsWhatWaitsAndWhatIsHeldBack") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    for (int n = 0; n < 3; ++n) add_task(*store, a_task().ready().for_role("qa"));
    add_task(*store, a_task().ready().for_role("qa").blocked());
    add_task(*store, a_task().ready().for_role("qa").waiting_for(1));
    add_task(*store, a_task().ready().for_role("qa").claimed_by("bob", at_minute(5)));
    add_task(*store, a_task().ready().for_role("qa").not_before(at_minute(5)));
    add_task(*store, a_task().ready().for_role("other").blocked());
    add_task(*store, a_task().ready().for_role("other"));
    add_task(*store, a_task().ready().assigned_to("ann"));
    CHECK(seen(*store, [](auto& tx) { return tx.waiting("r:qa", 100); }) == 3);
    CHECK(seen(*store, [](auto& tx) { return tx.waiting("r:qa", 2); }) == 2);
    auto const held =
        seen(*store, [&](auto& tx) { return tx.held_back({id, {"todo"}, {"r:qa"}, ""}, at_minute(0), 10); });
    CHECK(held == std::vector<std::pair<std::string, std::int64_t>>{
                      {"blocked", 1}, {"claimed", 1}, {"dependency", 1}, {"not_before", 1}, {"role", 2}});
    add_task(*store, a_task().ready().for_role("qa").tagged("api").tagged("web"));
    auto const untagged = seen(*store, [&](auto& tx) {
      return tx.held_back({id, {"todo"}, {"r:qa"}, "", {"api", "web"}}, at_minute(0), 10);
    });
    CHECK(untagged.back() == std::pair<std::string, std::int64_t>{"tag", 3});
  });
}

namespace {

/// A pick of a queue whose first tasks touch files that somebody holds. Tells how many it was offered.
struct HeldPick {
  store::PickScope scope;
  int offered = 0;
  std::optional<core::TaskId> got{};

  bool look(store::Tx& tx, core::Instant now = at_minute(0)) {
    offered = 0;
    got.reset();
    auto const busy = tx.touching(scope.board);
    return tx.offer(scope, now, [&](core::Task const& task) {
      ++offered;
      for (auto const& other : busy)
        if (core::is_in_work(other.stage) && core::any_overlap(task.touches, other.touches))
          return store::PickAnswer::held;
      got = task.id;
      return store::PickAnswer::take;
    });
  }
  /// In a unit of its own that changes nothing.
  HeldPick& run(store::Store& store, core::Instant now = at_minute(0)) {
    store::write(store, [&](store::Tx& tx) {
      look(tx, now);
      return store::Outcome::rollback;
    });
    return *this;
  }
};

}  // namespace

TEST_CASE("Pick.HeldTasksAreOfferedOnceUntilFilesAreGivenBack") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;  // where every command is a process nothing is remembered
    if (store.repeats_units()) return;       // and a batch that is repeated may forget
    auto const board = add_board(*store);
    auto const holder = add_task(*store, a_task().in("doing").touching("src/**")).id;
    for (int n = 0; n < 20; ++n) add_task(*store, a_task().ready().touching("src/a"));
    HeldPick pick{{board, {"todo"}, {""}}};
    CHECK(pick.run(*store).offered == 20);
    CHECK(pick.run(*store).offered == 0);
    auto const later = add_task(*store, a_task().ready().touching("src/b")).id;
    CHECK(pick.run(*store).offered == 1);
    change_task(*store, later, [](core::Task& task) { ++task.state.notes; });
    CHECK(pick.run(*store).offered == 0);
    change_task(*store, later, [](core::Task& task) { task.priority = "critical"; });
    CHECK(pick.run(*store).offered == 21);
    auto const free = add_task(*store, a_task().ready().touching("docs/a")).id;
    CHECK(pick.run(*store).offered == 1);
    CHECK(pick.got == free);
    change_task(*store, holder, [](core::Task& task) { task.touches = {"src/b"}; });
    CHECK(pick.run(*store).offered == 2);
    change_task(*store, holder, [](core::Task& task) { task.status = "done"; });
    CHECK(pick.run(*store).got == later);
  });
}

TEST_CASE("Pick.WhatAUnitThatIsUndoneHeldIsNotRemembered") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    auto const holder = add_task(*store, a_task().ready().touching("src/**")).id;
    auto const waits = add_task(*store, a_task().ready().touching("src/a")).id;
    HeldPick pick{{board, {"todo"}, {""}}};
    store::write(*store, [&](store::Tx& tx) {
      auto task = *tx.task(holder);
      task.status = "doing";
      task.rev = core::next(task.rev);
      tx.put(task);
      pick.look(tx);
      CHECK(pick.offered == 1);
      CHECK_FALSE(pick.got);
      return store::Outcome::rollback;
    });
    change_task(*store, holder, [](core::Task& task) { task.status = "backlog"; });
    CHECK(pick.run(*store).got == waits);
  });
}

TEST_CASE("Pick.AQueueFullOfHeldTasksIsWalkedInSlices") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const board = add_board(*store);
    keep(*store, [&](store::Tx& tx) {
      tx.add(core::Task(a_task().in("doing").touching("**")));
      for (int n = 0; n < 2'500; ++n) tx.add(core::Task(a_task().ready().touching("src/a")));
      tx.add(core::Task(a_task("free").ready()));
    });
    HeldPick pick{{board, {"todo"}, {""}}};
    std::vector<int> slices;
    store::write(*store, [&](store::Tx& tx) {
      bool const is_whole = pick.look(tx);
      slices.push_back(pick.offered);
      return is_whole ? store::Outcome::rollback : store::Outcome::retry;
    });
    CHECK(slices == std::vector<int>{1'000, 1'000, 501});
    CHECK(pick.got == 2'502);
  });
}

TEST_CASE("Pick.OthersAreServedBetweenTheSlicesOfAWalk") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards() || store.repeats_units()) return;
    auto const board = add_board(*store);
    keep(*store, [&](store::Tx& tx) {
      tx.add(core::Task(a_task().in("doing").touching("**")));
      for (int n = 0; n < 2'500; ++n) tx.add(core::Task(a_task().ready().touching("src/a")));
    });
    HeldPick pick{{board, {"todo"}, {""}}};
    std::string order;
    std::promise<void> over;
    store->submit(
        [&](store::Tx& tx) {
          order += 'p';
          if (order == "p")
            store->submit([&](store::Tx&) { return order += 'n', store::Outcome::rollback; },
                          [](std::exception_ptr const&) {});
          return pick.look(tx) ? store::Outcome::rollback : store::Outcome::retry;
        },
        [&](std::exception_ptr const&) { over.set_value(); });
    over.get_future().wait();
    CHECK(order.starts_with("pn"));
    CHECK(order == "pnpp");
  });
}
