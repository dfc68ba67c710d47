#include "store/transfer/tables.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "store/postgres/driver/schema.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/transfer/databases.hpp"

using namespace andon;
using namespace andon::test;
using store::transfer::tables;

namespace {

/// The columns of each table, those of the key first in their order.
using Schema = std::map<std::string, std::vector<std::string>>;

/// Tables that belong to one database, and the contents of attachments, which are copied beside the tables.
bool is_own(std::string const& table) {
  return table.starts_with("search") || table.starts_with("sqlite_") || table == "schema_migration" ||
         table == "server" || table == "leader" || table == "batch" || table == "attachment";
}

Schema copied() {
  Schema out;
  for (auto const& table : tables()) {
    auto& columns = out[std::string{table.name}];
    for (auto const& column : table.columns) columns.emplace_back(column.name);
    std::ranges::sort(columns.begin() + static_cast<std::ptrdiff_t>(table.keys), columns.end());
  }
  return out;
}

/// Reads rows of table, column and place in the key, where 0 is none.
Schema schema_in(store::sql::Statement rows) {
  Schema out;
  while (rows.step())
    if (!is_own(rows.text(0))) out[rows.text(0)].push_back(rows.text(1));
  return out;
}

}  // namespace

TEST_CASE("CopiedTables.AreThoseOfSqlite") {
  store::sqlite::Connection db{"", store::sqlite::Mode::memory};
  store::sqlite::migrate(db);
  auto const found = schema_in(db.assembled(
      "SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c WHERE s.type = 'table' "
      "ORDER BY s.name, c.pk = 0, c.pk, c.name"));
  CHECK(found == copied());
}

TEST_CASE("CopiedTables.AreThoseOfPostgres" * without_postgres()) {
  store::postgres::Settings const settings{url_of_new_schema()};
  store::postgres::SqlConnection db{settings, store::postgres::Access::write};
  store::postgres::migrate(db, settings.schema(), at_minute(0));
  auto const found = schema_in(db.assembled(
      "SELECT t.relname, a.attname FROM pg_class AS t JOIN pg_attribute AS a ON a.attrelid = t.oid "
      "LEFT JOIN pg_constraint AS k ON k.conrelid = t.oid AND k.contype = 'p' "
      "WHERE t.relkind = 'r' AND t.relnamespace = to_regnamespace(current_schema()) AND a.attnum > 0 "
      "AND NOT a.attisdropped "
      "ORDER BY t.relname, array_position(k.conkey, a.attnum) NULLS LAST, a.attname COLLATE \"C\""));
  CHECK(found == copied());
}
