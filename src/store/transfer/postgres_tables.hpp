#pragma once

#include "store/postgres/session/search_index.hpp"
#include "store/postgres/session/sql_connection.hpp"
#include "store/transfer/table_access.hpp"

namespace andon::store::transfer {

/// The tables of a schema of PostgreSQL.
class PostgresTables final : public TableAccess {
 public:
  explicit PostgresTables(postgres::SqlConnection& db) : db_(db) {}
  /// Reads through a cursor, so that a part of the rows is in memory.
  void read(Table const& table, std::function<void(Row const&)> const& visit) override;
  /// Refuses a text with a zero byte, which PostgreSQL cannot keep, with the table and the key of the row.
  void add(Table const& table, std::vector<Row> const& rows) override;
  void clear() override;
  void rebuild_texts() override { postgres::rebuild_texts(db_); }

  /// True when no table has more rows than a new schema.
  bool are_new();

 private:
  postgres::SqlConnection& db_;
};

/// Throws StoreError{refused} when a board keeps its tasks in files, which servers on other machines do not
/// have.
void refuse_attached_boards(postgres::SqlConnection& db);

}  // namespace andon::store::transfer
