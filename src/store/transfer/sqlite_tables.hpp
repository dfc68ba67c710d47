#pragma once

#include "store/sqlite/database/connection.hpp"
#include "store/transfer/table_access.hpp"

namespace andon::store::transfer {

/// The tables of a SQLite database. The last number of an automation, which SQLite keeps by itself, is a row
/// of `given`.
class SqliteTables final : public TableAccess {
 public:
  explicit SqliteTables(sqlite::Connection& db) : db_(db) {}
  void read(Table const& table, std::function<void(Row const&)> const& visit) override;
  void add(Table const& table, std::vector<Row> const& rows) override;
  void clear() override;
  /// Leaves all texts to the next server, which reads them into the index as it does with changed ones.
  void rebuild_texts() override;

 private:
  void run_for(std::vector<Row> const& rows, std::string const& text);

  sqlite::Connection& db_;
};

}  // namespace andon::store::transfer
