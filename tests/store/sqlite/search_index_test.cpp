#include "store/sqlite/session/search_index.hpp"

#include <doctest/doctest.h>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/sqlite/session/sqlite_session.hpp"

using namespace andon;
using namespace andon::test;
using store::engine::Unit;
using store::sqlite::SqliteSession;

TEST_CASE("SearchIndex.LearnsForOneUnitAlone") {
  StoreUnderTest store{KindOfStore::sqlite};
  add_board(*store);
  add_task(*store, a_task("Fix the cart"));
  auto const stale = [&] {
    return seen(*store, [](store::Tx& tx) {
      auto& session = tx.session();
      return store::sqlite::stale_texts(static_cast<SqliteSession&>(session).connection(), 10);
    });
  };
  REQUIRE(stale() == 1);
  std::size_t found = 0;
  store::write(*store, [&](store::Tx& tx) {
    tx.update_search_for_now();
    found = tx.search({{{"cart", false, false}}, {}}, at_minute(1), 10, 0).hits.size();
    return store::Outcome::rollback;
  });
  CHECK(found == 1);
  CHECK(stale() == 1);
}
