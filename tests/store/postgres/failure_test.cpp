#include "store/postgres/connection/failure.hpp"

#include <string_view>

#include <doctest/doctest.h>

#include "store/postgres/opened.hpp"

using namespace andon;
using namespace andon::store;
using namespace andon::store::postgres;

TEST_CASE("PostgresConnection.RefusesOldServersAndStandbys") {
  auto const refused = [](ServerFacts const& facts, Access access) {
    return caught([&] { check_server(facts, access); });
  };
  CHECK(holds(refused({120'022, false, "UTF8"}, Access::read).text, "too old (12)"));
  CHECK(holds(refused({150'000, false, "LATIN1"}, Access::read).text, "LATIN1"));
  CHECK(refused({150'000, true, "UTF8"}, Access::write).kind == Kind::read_only);
  CHECK_FALSE(refused({150'000, true, "UTF8"}, Access::read).kind);
  CHECK_FALSE(refused({130'000, false, "UTF8"}, Access::write).kind);
}

TEST_CASE("PostgresLibrary.SaysWhatToInstall") {
  CHECK(holds(caught([] { Libpq{"libpq-of-nobody.so.5"}; }).text, "install the package libpq5"));
  CHECK(holds(caught([] { Libpq{"libc.so.6"}; }).text, "too old"));
}

TEST_CASE("PostgresFailure.HasTheKindOfItsState") {
  auto const kind = [](std::string_view state) { return failure(state, "m", "run x").kind(); };
  CHECK(kind("53100") == Kind::no_space);
  CHECK(kind("53300") == Kind::busy);
  CHECK(kind("40001") == Kind::busy);
  CHECK(kind("40P01") == Kind::busy);
  CHECK(kind("55P03") == Kind::busy);
  CHECK(kind("57014") == Kind::overlong);
  CHECK(kind("57P01") == Kind::busy);
  CHECK(kind("25006") == Kind::read_only);
  CHECK(kind("XX001") == Kind::damaged);
  CHECK(kind("23505") == Kind::other);
  CHECK(one_line("a\x1b[31m\nb\n") == "a\\x1b[31m\\nb");
}
