#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "store/postgres/opened.hpp"

using namespace andon;
using namespace andon::store;
using namespace andon::store::postgres;

TEST_CASE("PostgresConnection.ReturnsEachTypeOfValue" * without_server()) {
  auto db = open();
  std::vector<std::byte> const bytes{std::byte{0}, std::byte{255}};
  auto const rows =
      db.query(a_statement("SELECT $1, $2, $3, $4, $5, $6, $7::text, 7::int4, -8::int2, 'x'::varchar"),
               Parameters::of(std::int64_t{-5'000'000'000}, 0.25, "Grüße 🙂", std::span{bytes}, true, nullptr,
                              std::optional<std::string>{}));
  REQUIRE(rows.size() == 1);
  auto const row = rows[0];
  CHECK(row.integer(0) == -5'000'000'000);
  CHECK(row.real(1) == 0.25);
  CHECK(row.text(2) == "Grüße 🙂");
  CHECK(row.bytes(3)[1] == std::byte{255});
  CHECK(row.bytes(3).size() == 2);
  CHECK(row.boolean(4));
  CHECK(row.is_null(5));
  CHECK(row.is_null(6));
  CHECK(row.integer(7) == 7);
  CHECK(row.integer(8) == -8);
  CHECK(row.view(9) == "x");
}

TEST_CASE("PostgresConnection.TakesArrays" * without_server()) {
  auto db = open();
  std::vector<std::optional<std::int64_t>> const numbers{1, std::nullopt, -3};
  std::vector<std::optional<std::string>> const texts{"a'b\\\"{,}", std::nullopt, ""};
  auto const rows = db.query(a_statement("SELECT n, t FROM unnest($1::int8[], $2::text[]) AS u(n, t)"),
                             Parameters::of(numbers, texts));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].integer(0) == 1);
  CHECK(rows[0].view(1) == "a'b\\\"{,}");
  CHECK(rows[1].is_null(0));
  CHECK(rows[1].is_null(1));
  CHECK(rows[2].integer(0) == -3);
  CHECK(rows[2].view(1).empty());
  auto const count = a_statement("SELECT count(*) FROM generate_series(1, 9) AS n WHERE n = ANY($1)");
  CHECK(db.query(count, Parameters::of(std::vector<std::int64_t>{2, 4, 99}))[0].integer(0) == 2);
  CHECK(db.query(count, Parameters::of(std::vector<std::int64_t>{}))[0].integer(0) == 0);
}

TEST_CASE("PostgresConnection.RefusesReadsOfAnotherType" * without_server()) {
  auto db = open();
  auto const rows = db.query(a_statement("SELECT 'text', 1::int8, NULL::int8, 1.5::numeric"));
  auto const row = rows[0];
  CHECK(holds(caught([&] { row.integer(0); }).text, "is no integer"));
  CHECK(holds(caught([&] { row.view(1); }).text, "is no text"));
  CHECK(holds(caught([&] { row.integer(2); }).text, "is null"));
  CHECK(holds(caught([&] { row.real(3); }).text, "is no real number"));
  CHECK(holds(caught([&] { row.is_null(4); }).text, "does not exist"));
  CHECK(holds(caught([&] { rows[1]; }).text, "too few rows"));
}

TEST_CASE("PostgresParameters.RefuseAZeroByte") {
  auto const error = caught([] { Parameters::of(std::string{"a\0b", 3}); });
  CHECK(error.kind == Kind::refused);
  CHECK(holds(error.text, "zero byte"));
}

TEST_CASE("PostgresConnection.RefusesTextThatIsNotUtf8" * without_server()) {
  auto db = open();
  CHECK(caught([&] { db.query(a_statement("SELECT $1"), Parameters::of("\xff")); }).kind == Kind::refused);
  CHECK(number(db, "SELECT 1") == 1);
}
