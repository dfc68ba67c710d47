#include "store/postgres/session/sql_connection.hpp"

#include <algorithm>
#include <utility>

#include "store/contract/store_error.hpp"
#include "store/postgres/connection/failure.hpp"

namespace andon::store::postgres {
namespace {

// When this many assembled statements are cached, the unused ones are removed.
constexpr std::size_t kAssembledTexts = 128;

/// Ends with the transaction.
Statement const kLimitStatements{"limit the statements", "SELECT set_config('statement_timeout', $1, true)"};

PostgresCursor& first_of(CursorPool& pool) {
  auto& out = *pool.idle.back().release();
  pool.idle.pop_back();
  ++pool.lent;
  return out;
}

}  // namespace

SqlConnection::SqlConnection(Settings const& settings, Access access)
    : sql::Connection(sql::Dialect::postgres),
      settings_(settings),
      access_(access),
      named_(sql::named_texts(sql::Dialect::postgres).size()) {
  connect();
}

SqlConnection::~SqlConnection() = default;

void SqlConnection::connect() {
  if (connection_) written_ += connection_->rows_written();
  deferred_.clear();
  is_inside_ = false;
  connection_.reset();
  connection_ = std::make_unique<postgres::Connection>(settings_, access_);
  ++connections_;
}

postgres::Connection& SqlConnection::live() {
  if (!connection_) throw failure(kConnectionFailure, "it ended earlier", "go on");
  return *connection_;
}

/// Runs an act of the connection and notes its failure.
template <class Act>
auto SqlConnection::noted(Act const& act) try {
  return act();
} catch (StoreError const&) {
  note_failure(false);
  throw;
}

void SqlConnection::defer(SetKind kind, Values values) {
  if (deferred_.conflicts(kind, values)) noted([&] { send_deferred(); });
  deferred_.add(kind, std::move(values));
}

void SqlConnection::send_deferred() {
  if (deferred_.is_empty()) return;
  deferred_.take([this](Statement const& statement, Parameters const& parameters) {
    live().queue(statement, parameters);
  });
}

void SqlConnection::queue(Statement const& statement, Parameters const& parameters) {
  noted([&] {
    send_deferred();
    live().queue(statement, parameters);
  });
}

Rows SqlConnection::ask(Statement const& statement, Parameters const& parameters) {
  return noted([&] {
    check_limit();
    send_deferred();
    return live().query(statement, parameters);
  });
}

void SqlConnection::close_portal(std::string const& name) {
  if (!is_inside_ || is_lost() || has_failed_transaction()) return;
  queue({"end a read", "CLOSE " + name}, {});
}

void SqlConnection::flush() {
  noted([&] {
    send_deferred();
    live().flush();
  });
}

void SqlConnection::run_script(std::string const& name, std::string const& script) {
  noted([&] { live().run_script(name, script); });
}

bool SqlConnection::await_notice(std::string_view own, int stop, std::chrono::milliseconds most) {
  return noted([&] { return live().await_notice(own, stop, most); });
}

void SqlConnection::fail_as_damaged(std::string_view doing) {
  note_failure(false);
  throw StoreError{StoreError::Kind::damaged, "the database is damaged: cannot " + std::string{doing}};
}

std::int64_t SqlConnection::changed_rows() {
  flush();
  return live().changed_rows();
}

/// The database ends a statement that runs for longer; between statements the flag is looked at too.
void SqlConnection::give_up_after(std::chrono::milliseconds most,
                                  std::shared_ptr<std::atomic<bool> const> abandoned) {
  limit_ = {os::Deadline{most}, std::move(abandoned)};
  queue(kLimitStatements, Parameters::of(std::to_string(most.count())));
}

void SqlConnection::give_up_never() { limit_ = {}; }

void SqlConnection::check_limit() const {
  bool const is_over = limit_.end && limit_.end->is_over();
  if (is_over || (limit_.abandoned && *limit_.abandoned))
    throw StoreError{StoreError::Kind::overlong, "the unit of work has read for too long"};
}

PostgresCursor& SqlConnection::lend_from(CursorPool& pool, std::string const& name, std::string const& text) {
  if (pool.idle.empty()) pool.idle.push_back(std::make_unique<PostgresCursor>(*this, pool, name, text));
  return first_of(pool);
}

sql::Cursor& SqlConnection::lend(sql::Query const& query) {
  return lend_from(named_[query.index()], sql::named_texts(sql::Dialect::postgres)[query.index()].name,
                   text(query));
}

sql::Cursor& SqlConnection::lend(std::string const& text) {
  if (assembled_.size() >= kAssembledTexts && !assembled_.contains(text))
    std::erase_if(assembled_, [](auto const& entry) { return entry.second.lent == 0; });
  return lend_from(assembled_[text], std::string{kAssembled}, text);
}

}  // namespace andon::store::postgres
