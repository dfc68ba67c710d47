#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "store/sql/database/statement.hpp"
#include "store/sql/database/statements.hpp"

namespace andon::store::sql {

/// One connection to an SQL database. It caches its statements. Used by one thread at a time. Failures are
/// thrown as StoreError.
class Connection {
 public:
  explicit Connection(Dialect dialect) : dialect_(dialect) {}
  virtual ~Connection() = default;
  Connection(Connection const&) = delete;
  Connection& operator=(Connection const&) = delete;

  template <class... Arguments>
  Statement query(Query const& query, Arguments&&... arguments) {
    Statement statement{lend(query)};
    statement.bind_all(std::forward<Arguments>(arguments)...);
    return statement;
  }
  /// Runs a statement that returns no rows.
  template <class... Arguments>
  void run(Query const& text, Arguments&&... arguments) {
    query(text, std::forward<Arguments>(arguments)...).step();
  }
  /// A statement that is assembled at run time; the connection caches it by its text.
  Statement assembled(std::string const& text) { return Statement{lend(text)}; }
  /// The text of a statement in the dialect of this database.
  std::string const& text(Query const& query) const { return query.text(dialect_); }

  /// Throws the StoreError for data that contradict each other.
  [[noreturn]] virtual void fail_as_damaged(std::string_view doing) = 0;
  virtual bool in_transaction() const = 0;
  /// The rows that the last statement changed.
  virtual std::int64_t changed_rows() = 0;
  /// The rows written since the connection was opened.
  virtual std::int64_t rows_written() const = 0;
  /// The work of the database on this connection, in thousands of its own steps.
  virtual std::int64_t steps() const = 0;

  /// True when a call has thrown since the last `forgive`.
  bool has_failed() const { return failed_; }
  void forgive() { failed_ = false; }
  /// True when it is unknown after the last failure which changes reached the disk.
  bool is_unsound() const { return unsound_; }

  /// From now on statements fail as `overlong` when `most` has passed or the flag, if there is one, is true.
  virtual void give_up_after(std::chrono::milliseconds most,
                             std::shared_ptr<std::atomic<bool> const> abandoned) = 0;
  virtual void give_up_never() = 0;
  /// Reserves room on the disk for the commit of a usual batch. Throws StoreError{no_space} when there is
  /// none. Does nothing where the database is not a file of this process.
  virtual void reserve_room() = 0;

 protected:
  void note_failure(bool is_unsound) {
    failed_ = true;
    unsound_ = is_unsound;
  }

 private:
  virtual Cursor& lend(Query const& query) = 0;
  virtual Cursor& lend(std::string const& text) = 0;

  Dialect dialect_;
  bool failed_ = false;
  bool unsound_ = false;
};

}  // namespace andon::store::sql
