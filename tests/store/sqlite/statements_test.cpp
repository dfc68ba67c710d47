#include "store/sql/database/statements.hpp"

#include <doctest/doctest.h>

using namespace andon::store::sql;

TEST_CASE("Statements.HaveATextForSqlite") {
  for (auto const& [name, text] : named_texts(Dialect::sqlite)) {
    CAPTURE(name);
    CHECK_FALSE(text.empty());
  }
}
