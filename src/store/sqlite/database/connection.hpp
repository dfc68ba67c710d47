#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sqlite3.h>

#include "os/processes/clock.hpp"
#include "store/sql/database/connection.hpp"
#include "store/sqlite/database/cursor.hpp"

namespace andon::store::sqlite {

using sql::Query;
using sql::Statement;

/// The text of an error that concerns an SQL statement. Users run Andon and cannot use the place in the SQL.
inline constexpr std::string_view kRunning = "run a statement";

enum class Mode { owner, reader, memory };

/// One SQLite connection with its settings and its cache of prepared statements.
class Connection final : public sql::Connection {
 public:
  Connection(std::string const& path, Mode mode);
  ~Connection() override;

  /// Runs statements without parameters and rows; they are not cached.
  void execute(std::string const& sql);
  /// The only value of a pragma or a select.
  std::string value_of(std::string const& sql);

  /// Throws the StoreError for a failed call and sets `has_failed`.
  [[noreturn]] void fail(int code, std::string_view doing);
  [[noreturn]] void fail_as_damaged(std::string_view doing) override { fail(SQLITE_CORRUPT, doing); }

  void give_up_after(std::chrono::milliseconds most,
                     std::shared_ptr<std::atomic<bool> const> abandoned) override;
  void give_up_never() override;
  void reserve_room() override;

  sqlite3* handle() const { return db_; }
  /// The path as given; empty for a database in memory.
  std::string const& path() const { return path_; }
  std::int64_t changed_rows() override { return sqlite3_changes64(db_); }
  std::int64_t rows_written() const override { return sqlite3_total_changes64(db_); }
  std::int64_t steps() const override { return steps_; }
  bool in_transaction() const override { return sqlite3_get_autocommit(db_) == 0; }

 private:
  sql::Cursor& lend(Query const& query) override;
  sql::Cursor& lend(std::string const& text) override;
  void prepare(StatementPool& pool, std::string const& text);
  void drop_unused_texts();
  void close();

  /// The time and the flag that end a statement early.
  struct Limit {
    os::SteadyClock::time_point end;
    std::shared_ptr<std::atomic<bool> const> abandoned;
  };

  std::string path_;
  sqlite3* db_ = nullptr;
  std::optional<Limit> limit_;
  std::int64_t steps_ = 0;
  std::vector<StatementPool> named_;
  std::unordered_map<std::string, StatementPool> assembled_;
};

}  // namespace andon::store::sqlite
