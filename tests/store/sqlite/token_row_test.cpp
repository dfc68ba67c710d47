#include "store/sql/rows/token_row.hpp"

#include <doctest/doctest.h>

#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/open.hpp"
#include "store/sqlite/database/connection.hpp"
#include "support/scratch.hpp"

using namespace andon;

TEST_CASE("Tokens.OfAnUnknownKindAreNotRead") {
  test::Scratch scratch;
  auto const path = (scratch / "andon.db").native();
  std::string const hash(64, 'a');
  {
    auto const store = store::open_store("sqlite:" + path);
    store::write(*store, [&](store::Tx& tx) {
      store::Token token;
      token.hash = hash;
      token.kind = core::TokenKind::person;
      tx.add(token);
      return store::Outcome::commit;
    });
  }
  store::sqlite::Connection{path, store::sqlite::Mode::owner}.execute("UPDATE token SET kind = 'visitor'");
  auto const store = store::open_store("sqlite:" + path);
  CHECK_THROWS_AS(store->read([&](store::Tx& tx) { static_cast<void>(tx.token(hash)); }), store::StoreError);
}
