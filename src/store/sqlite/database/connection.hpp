#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sqlite3.h>

#include "core/time/time.hpp"
#include "os/processes/clock.hpp"
#include "store/sqlite/database/statements.hpp"

namespace andon::store::sqlite {

/// A prepared statement with the places of its `$1…$n`. SQLite numbers such parameters in the order of their
/// first appearance.
struct Prepared {
  sqlite3_stmt* handle = nullptr;
  std::vector<int> places;
};
/// The prepared statements of one text. Several exist while several cursors on the text are open.
struct StatementPool {
  std::vector<Prepared> idle;
  int lent = 0;
};

/// A running statement. It is borrowed from its connection, and its destructor resets it and gives it back.
/// Bound texts must outlive the statement, except temporary `std::string`s, which are copied.
class Statement {
 public:
  Statement(class Connection& db, Prepared prepared, StatementPool& pool);
  Statement(Statement&& other) noexcept
      : db_(other.db_), prepared_(std::move(other.prepared_)), pool_(std::exchange(other.pool_, nullptr)) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  /// Moves to the next row; false at the end.
  bool step();

  std::int64_t integer(int column) const { return sqlite3_column_int64(prepared_.handle, column); }
  bool is_null(int column) const { return sqlite3_column_type(prepared_.handle, column) == SQLITE_NULL; }
  double real(int column) const { return sqlite3_column_double(prepared_.handle, column); }
  bool is_text(int column) const { return sqlite3_column_type(prepared_.handle, column) == SQLITE_TEXT; }
  /// The result is valid until the next step.
  std::string_view view(int column) const;
  std::string text(int column) const { return std::string{view(column)}; }
  core::Instant instant(int column) const { return core::Instant{core::Duration{integer(column)}}; }
  std::optional<core::Instant> maybe_instant(int column) const;
  /// The id that a column names; nothing where it is null.
  template <class Id>
  std::optional<Id> maybe_id(int column) const {
    return is_null(column) ? std::nullopt : std::optional{Id{integer(column)}};
  }

  void bind(int parameter, std::nullptr_t);
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, int value) { bind(parameter, std::int64_t{value}); }
  void bind(int parameter, bool value) { bind(parameter, std::int64_t{value}); }
  void bind(int parameter, std::size_t value) { bind(parameter, static_cast<std::int64_t>(value)); }
  void bind(int parameter, core::Instant value) {
    bind(parameter, std::int64_t{value.time_since_epoch().count()});
  }
  void bind(int parameter, std::string_view value) { bind_text(parameter, value, SQLITE_STATIC); }
  void bind(int parameter, std::string const& value) { bind_text(parameter, value, SQLITE_STATIC); }
  void bind(int parameter, std::string&& value) { bind_text(parameter, value, SQLITE_TRANSIENT); }
  void bind(int parameter, char const* value) { bind(parameter, std::string_view{value}); }
  template <class T>
  void bind(int parameter, std::optional<T> const& value) {
    value ? bind(parameter, *value) : bind(parameter, nullptr);
  }
  /// Binds the arguments to `$1…$n`.
  template <class... Arguments>
  void bind_all(Arguments&&... arguments) {
    int parameter = 0;
    (bind(++parameter, std::forward<Arguments>(arguments)), ...);
  }

 private:
  int place(int parameter) const;
  void bind_text(int parameter, std::string_view value, sqlite3_destructor_type lifetime);

  Connection& db_;
  Prepared prepared_;
  StatementPool* pool_;
};

enum class Mode { owner, reader, memory };

/// One SQLite connection with its settings and its cache of prepared statements. Used by one thread at a
/// time.
class Connection {
 public:
  Connection(std::string const& path, Mode mode);
  ~Connection();
  Connection(Connection const&) = delete;
  Connection& operator=(Connection const&) = delete;

  template <class... Arguments>
  Statement query(Query const& query, Arguments&&... arguments) {
    auto statement = borrow(query);
    statement.bind_all(std::forward<Arguments>(arguments)...);
    return statement;
  }
  /// Runs a statement that returns no rows.
  template <class... Arguments>
  void run(Query const& text, Arguments&&... arguments) {
    query(text, std::forward<Arguments>(arguments)...).step();
  }
  /// A statement that is assembled at run time; the connection caches it by its text.
  Statement assembled(std::string const& text);
  /// Runs statements without parameters and rows; they are not cached.
  void execute(std::string const& sql);
  /// The only value of a pragma or a select.
  std::string value_of(std::string const& sql);

  /// Throws the StoreError for a failed call and sets `has_failed`.
  [[noreturn]] void fail(int code, std::string_view doing);
  bool has_failed() const { return failed_; }
  /// Sets `has_failed` after a failure outside the database.
  void note_trouble() { failed_ = true; }
  void forgive() { failed_ = false; }
  /// Whether it is unknown after the last failure which changes reached the disk.
  bool is_unsound() const { return unsound_; }

  /// From now on statements fail as `overlong` when `most` has passed or the flag, if there is one, is true.
  void give_up_after(std::chrono::milliseconds most, std::shared_ptr<std::atomic<bool> const> abandoned);
  void give_up_never();

  sqlite3* handle() const { return db_; }
  /// The path as given; empty for a database in memory.
  std::string const& path() const { return path_; }
  /// The work of SQLite's virtual machine on this connection, in thousands of its steps.
  std::int64_t steps() const { return steps_; }
  bool in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }

 private:
  Statement borrow(Query const& query) { return lend(named_[query.index()], query.text()); }
  Statement lend(StatementPool& pool, std::string const& text);
  Prepared prepare(std::string const& text);
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
  bool failed_ = false;
  bool unsound_ = false;
  std::int64_t steps_ = 0;
  std::vector<StatementPool> named_;
  std::unordered_map<std::string, StatementPool> assembled_;
};

}  // namespace andon::store::sqlite
