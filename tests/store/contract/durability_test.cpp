#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "support/store_digest.hpp"

using namespace andon;
using namespace andon::test;

TEST_CASE("Stores.RememberAfterTheyWereClosed") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.lasts()) return;
    auto const board = add_board(*store, a_board().prefixed("WQ"));
    add_task(*store, a_task().ready().with_body("brief").tagged("qa"));
    keep(*store, [](auto& tx) { tx.append(an_event()); });
    auto const before = store_digest(*store);
    auto const incarnation = store->incarnation();
    CHECK(incarnation.size() >= 4);
    store.reopen();
    CHECK(store_digest(*store) == before);
    CHECK(store->incarnation() == incarnation);
    CHECK(add_task(*store).id == 2);
    CHECK(keep(*store, [](auto& tx) { return tx.append(an_event()); }) == 2);
    CHECK(seen(*store, [&](auto& tx) { return tx.load(board).columns["todo"]; }) == 1);
  });
}

TEST_CASE("Stores.ShowReadersOneSnapshot") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.lasts()) return;
    add_board(*store);
    store->read([&](store::Tx& tx) {
      CHECK(tx.count({}) == 0);
      add_task(*store);
      CHECK(tx.count({}) == 0);
    });
    CHECK(seen(*store, [](auto& tx) { return tx.count({}); }) == 1);
  });
}
