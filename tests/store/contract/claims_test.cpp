#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using test::add_board;
using test::add_task;
using test::at_minute;
using test::change_task;
using test::for_each_store;
using test::keep;
using test::seen;
using test::StoreUnderTest;

namespace {

/// A task that is claimed until then.
core::TaskId claimed_until(StoreUnderTest& store, core::Instant end, bool supervised = false) {
  auto const id = add_task(*store, test::a_task().ready()).id;
  change_task(*store, id, [&](core::Task& task) {
    task.claimed_by = "bob";
    task.claimed_at = at_minute(0);
    task.claim_expires = end;
    task.state.supervised = supervised;
    task.epoch = core::next(task.epoch);
  });
  return id;
}

std::optional<core::Instant> end_of(StoreUnderTest& store, core::TaskId id) {
  return seen(*store, [&](store::Tx& tx) { return tx.task(id)->claim_expires; });
}

bool is_pickable(StoreUnderTest& store, core::Instant now) {
  return seen(*store, [&](store::Tx& tx) {
    bool found = false;
    tx.candidates({tx.boards().front()->id, {"todo"}, {""}, {}, {}}, now, [&](core::Task const&) {
      found = true;
      return true;
    });
    return found;
  });
}

}  // namespace

TEST_CASE("Claims.AreFoundByTheirEnd") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    add_board(*store);
    claimed_until(store, at_minute(10));
    auto const later = claimed_until(store, at_minute(20));
    auto const last = claimed_until(store, at_minute(30));
    auto const found = seen(*store, [](store::Tx& tx) { return tx.claims_after(at_minute(10), 10); });
    REQUIRE(found.size() == 2);
    CHECK(found[0].id == later);
    CHECK(found[1].id == last);
    CHECK(seen(*store, [](store::Tx& tx) { return tx.claims_after(at_minute(10), 1).size(); }) == 1);
  });
}

TEST_CASE("Claims.AreMovedWithWhatIsPickableWhenTheyEnd") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    add_board(*store);
    auto const over = claimed_until(store, at_minute(10));
    CHECK(is_pickable(store, at_minute(11)));
    keep(*store, [](store::Tx& tx) { tx.move_claims_after(at_minute(5), std::chrono::minutes{-60}); });
    CHECK(end_of(store, over) == at_minute(-50));
    CHECK(is_pickable(store, at_minute(-49)));
    CHECK_FALSE(is_pickable(store, at_minute(-51)));
    keep(*store, [](store::Tx& tx) { tx.move_claims_after(at_minute(0), std::chrono::minutes{60}); });
    CHECK(end_of(store, over) == at_minute(-50));
  });
}

TEST_CASE("Claims.AreExtendedByTheirKind") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const board = add_board(*store);
    auto const own = claimed_until(store, at_minute(10));
    auto const of_run = claimed_until(store, at_minute(10), true);
    auto const over = claimed_until(store, at_minute(4));
    auto const longer = claimed_until(store, at_minute(90));
    keep(*store, [](store::Tx& tx) { tx.extend_claims_after(at_minute(5), at_minute(20), {}); });
    CHECK(end_of(store, of_run) == at_minute(20));
    CHECK(end_of(store, own) == at_minute(10));
    keep(*store, [&](store::Tx& tx) { tx.extend_claims_after(at_minute(5), at_minute(30), board); });
    CHECK(end_of(store, own) == at_minute(30));
    CHECK(end_of(store, of_run) == at_minute(20));
    CHECK(end_of(store, over) == at_minute(4));
    CHECK(end_of(store, longer) == at_minute(90));
    CHECK_FALSE(is_pickable(store, at_minute(3)));
  });
}

TEST_CASE("Retries.AreToldFromTimesThatPeopleSet") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    add_board(*store);
    auto const waits = [&](core::Instant until, bool is_retry) {
      auto const id = add_task(*store, test::a_task().ready()).id;
      change_task(*store, id, [&](core::Task& task) {
        task.attempt = 1;
        task.not_before = until;
        if (is_retry) task.state.retry_at = until;
      });
      return id;
    };
    auto const retry = waits(at_minute(20), true);
    waits(at_minute(20), false);
    waits(at_minute(5), true);
    auto const found = seen(*store, [](store::Tx& tx) { return tx.retries_after(at_minute(10)); });
    REQUIRE(found.size() == 1);
    CHECK(found.front().id == retry);
    change_task(*store, retry, [](core::Task& task) { task.not_before = at_minute(40); });
    CHECK(seen(*store, [](store::Tx& tx) { return tx.retries_after(at_minute(10)).empty(); }));
  });
}
