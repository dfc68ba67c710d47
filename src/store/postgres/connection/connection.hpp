#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <string>
#include <string_view>

#include "store/postgres/connection/libpq.hpp"
#include "store/postgres/connection/parameters.hpp"
#include "store/postgres/connection/prepared_names.hpp"
#include "store/postgres/connection/rows.hpp"
#include "store/postgres/connection/settings.hpp"
#include "store/postgres/connection/statement.hpp"

namespace andon::store::postgres {

enum class Access {
  read,
  write,
  write_behind,  ///< writes whose commits do not wait for the disk
};

/// The facts by which a server is refused.
struct ServerFacts {
  int version = 0;  ///< as 150018 for 15.18
  bool is_standby = false;
  std::string encoding{};
};
/// Throws a StoreError for a server that Andon cannot use.
void check_server(ServerFacts const& server, Access access);

/// One connection to PostgreSQL in pipeline mode. Used by one thread at a time. Failures are thrown as
/// StoreError, with the name of the statement. After a failure all that was sent with the statement is
/// skipped, and the connection can be used again unless `is_lost`; a transaction then waits for its rollback.
class Connection {
 public:
  Connection(Settings const& settings, Access access);
  Connection(Connection const&) = delete;
  Connection& operator=(Connection const&) = delete;

  /// One round trip, which takes along what is queued.
  Rows query(Statement const& statement, Parameters const& parameters = {});
  /// Sends without waiting; a failure is thrown by the next `flush` or `query`. Outside a transaction, what
  /// travels together is one transaction.
  void queue(Statement const& statement, Parameters const& parameters = {});
  /// Waits until all that was queued is done. Throws UnknownResult when the connection is lost in a commit.
  void flush();
  /// Runs several statements without parameters, as those of a migration, as one transaction.
  void run_script(std::string const& name, std::string const& script);

  /// Waits until the server has sent a notice of a channel that is listened to, `stop` is readable, or the
  /// time is over. Takes all notices that are there; true when there was one with another text than `own`.
  /// Throws StoreError when the connection is lost.
  bool await_notice(std::string_view own, int stop, std::chrono::milliseconds most);
  /// Ends the statement that runs now as `overlong`; called on any thread. It may come too late and end the
  /// next one. False when the server could not be told.
  bool cancel() const;
  /// True when the connection is gone; it does not come back.
  bool is_lost() const { return is_lost_; }
  /// As of the last `flush` or `query`.
  bool is_in_transaction() const;
  /// True when a statement of the transaction has failed. As of the last `flush` or `query`.
  bool has_failed_transaction() const;
  /// The rows that the last statement changed or returned. As of the last `flush` or `query`.
  std::int64_t changed_rows() const { return changed_; }
  /// The rows that were written since the connection was opened. As of the last `flush` or `query`.
  std::int64_t rows_written() const { return written_; }

 private:
  enum class Step { drop, prepare, run };
  struct Pending {
    Step step;
    std::string name;  ///< of the statement, or on the server when it is prepared
    std::string statement;
    bool is_commit = false;
  };

  void connect(Settings const& settings);
  void set_up(Settings const& settings, Access access);
  void send(Statement const& statement, Parameters const& parameters);
  void prepare(Statement const& statement, std::string const& name, Parameters const& parameters);
  void note_sent(int was_sent, Pending pending);
  Rows finish();
  ResultHandle receive();
  void judge(Pending const& pending, ResultHandle const& result);
  void note_changes(ResultHandle const& result);
  bool take_notices(std::string_view own);
  void fail(Pending const& pending, std::string_view state, std::string_view message);
  void note_loss(Pending const& pending, std::string_view state, std::string_view message);
  void lose(std::string_view why);
  std::string error() const;

  ConnectionHandle connection_;
  CancelHandle cancel_;
  PreparedNames prepared_;
  std::deque<Pending> pending_;
  std::exception_ptr failure_;  ///< the first since the last `flush` or `query`
  bool is_lost_ = false;
  std::int64_t changed_ = 0;
  std::int64_t written_ = 0;
};

}  // namespace andon::store::postgres
