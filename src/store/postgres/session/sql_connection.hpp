#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "os/processes/deadline.hpp"
#include "store/postgres/connection/connection.hpp"
#include "store/postgres/session/cursor.hpp"
#include "store/postgres/session/deferred_sets.hpp"
#include "store/sql/database/connection.hpp"

namespace andon::store::postgres {

/// A connection to PostgreSQL for the shared session of `store/sql`.
class SqlConnection final : public sql::Connection {
 public:
  /// The settings are not owned.
  SqlConnection(Settings const& settings, Access access);
  ~SqlConnection() override;

  /// Opens a new connection in place of the present one, which is closed.
  void connect();
  /// Rises with each call of `connect`.
  int connections() const { return connections_; }

  /// Keeps an execution until another statement runs.
  void defer(SetKind kind, Values values);
  /// Forgets executions that were kept, because their transaction is rolled back.
  void forget_deferred() { deferred_.clear(); }
  /// Sends without waiting.
  void queue(Statement const& statement, Parameters const& parameters);
  /// One round trip, which takes along what is queued.
  Rows ask(Statement const& statement, Parameters const& parameters);
  /// Waits until all that was queued is done.
  void flush();
  /// Runs the statements of a migration as one transaction.
  void run_script(std::string const& name, std::string const& script);
  bool is_lost() const { return !connection_ || connection_->is_lost(); }
  /// Notes that a transaction was begun or ended, which its queued statements have not done yet.
  void note_transaction(bool is_inside) { is_inside_ = is_inside; }
  bool is_inside_transaction() const { return is_inside_; }
  /// A number for the name of rows that are fetched in parts.
  int next_portal() { return ++portals_; }
  /// Ends the fetching of rows. Does nothing where the database has ended it with the transaction.
  void close_portal(std::string const& name);
  /// True when a statement of the transaction has failed, so that it must be rolled back.
  bool has_failed_transaction() const { return connection_ && connection_->has_failed_transaction(); }

  [[noreturn]] void fail_as_damaged(std::string_view doing) override;
  bool in_transaction() const override { return connection_ && connection_->is_in_transaction(); }
  std::int64_t changed_rows() override;
  std::int64_t rows_written() const override {
    return written_ + (connection_ ? connection_->rows_written() : 0);
  }
  /// Waits for a notice of a channel, see `Connection::await_notice`.
  bool await_notice(std::string_view own, int stop, std::chrono::milliseconds most);
  std::int64_t steps() const override { return 0; }
  void give_up_after(std::chrono::milliseconds most,
                     std::shared_ptr<std::atomic<bool> const> abandoned) override;
  void give_up_never() override;
  void reserve_room() override {}

 private:
  sql::Cursor& lend(sql::Query const& query) override;
  sql::Cursor& lend(std::string const& text) override;
  PostgresCursor& lend_from(CursorPool& pool, std::string const& name, std::string const& text);
  template <class Act>
  auto noted(Act const& act);
  postgres::Connection& live();
  void send_deferred();

  /// The time at which statements give up.
  struct Limit {
    std::optional<os::Deadline> end{};
    std::shared_ptr<std::atomic<bool> const> abandoned{};
  };
  void check_limit() const;

  Settings const& settings_;
  Access const access_;
  std::unique_ptr<postgres::Connection> connection_;  ///< null after a failed `connect`
  int connections_ = 0;
  std::int64_t written_ = 0;  ///< the rows of earlier connections
  Limit limit_;
  DeferredSets deferred_;
  bool is_inside_ = false;
  int portals_ = 0;
  std::vector<CursorPool> named_;
  std::unordered_map<std::string, CursorPool> assembled_;
};

}  // namespace andon::store::postgres
