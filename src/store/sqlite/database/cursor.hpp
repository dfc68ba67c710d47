#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <sqlite3.h>

#include "store/sql/database/cursor.hpp"

namespace andon::store::sqlite {

/// The prepared statements of one text. Several exist while several statements of the text run.
struct StatementPool {
  std::vector<std::unique_ptr<class SqliteCursor>> idle;
  int lent = 0;
};

/// A prepared statement with the places of its `$1…$n`. SQLite numbers such parameters in the order of their
/// first appearance.
class SqliteCursor final : public sql::Cursor {
 public:
  SqliteCursor(class Connection& db, StatementPool& pool, sqlite3_stmt* handle);
  SqliteCursor(SqliteCursor const&) = delete;
  SqliteCursor& operator=(SqliteCursor const&) = delete;
  ~SqliteCursor() { sqlite3_finalize(handle_); }

  void bind_null(int parameter) override;
  void bind_integer(int parameter, std::int64_t value) override;
  void bind_real(int parameter, double value) override;
  void bind_text(int parameter, std::string_view value, sql::Lifetime lifetime) override;

  bool step() override;

  std::int64_t integer(int column) const override { return sqlite3_column_int64(handle_, column); }
  double real(int column) const override { return sqlite3_column_double(handle_, column); }
  std::string_view view(int column) const override;
  bool is_null(int column) const override { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
  bool is_text(int column) const override { return sqlite3_column_type(handle_, column) == SQLITE_TEXT; }

  /// Resets the statement and puts it back into its pool.
  void give_back() override;

 private:
  int place(int parameter) const {
    auto const at = static_cast<std::size_t>(parameter);
    return at < places_.size() ? places_[at] : 0;
  }

  Connection& db_;
  StatementPool& pool_;
  sqlite3_stmt* handle_;
  std::vector<int> places_;  ///< 0 for a parameter that the statement does not use
};

}  // namespace andon::store::sqlite
