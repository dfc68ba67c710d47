#include "store/sql/database/statements.hpp"

#include <doctest/doctest.h>

using namespace andon::store::sql;

TEST_CASE("Statements.HaveATextForTheDatabasesThatUseThem") {
  auto const sqlite = named_texts(Dialect::sqlite), postgres = named_texts(Dialect::postgres);
  REQUIRE(sqlite.size() == postgres.size());
  for (std::size_t i = 0; i < sqlite.size(); ++i) {
    CAPTURE(sqlite[i].name);
    CHECK(sqlite[i].name == postgres[i].name);
    CHECK_FALSE((sqlite[i].text.empty() && postgres[i].text.empty()));
  }
}
