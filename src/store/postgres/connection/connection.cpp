#include "store/postgres/connection/connection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <poll.h>
#include <utility>
#include <vector>

#include "store/contract/unknown_result.hpp"
#include "store/postgres/connection/failure.hpp"

namespace andon::store::postgres {
namespace {

constexpr int kOldestServer = 130'000;
constexpr int kBinary = 1;

/// All settings of a session in one round trip. The search path leaves out `public`, into which others may
/// write, and names the schema of temporary tables last, so that none of them hides a table.
/// Plans of prepared statements stay from when the tables were small, so that no plan may read, hash or sort
/// a whole table: each read of Andon walks indexes.
constexpr std::string_view kSetUp =
    "SELECT pg_catalog.pg_is_in_recovery(),"
    " pg_catalog.set_config('search_path', $1, false),"
    " pg_catalog.set_config('statement_timeout', $2, false),"
    " pg_catalog.set_config('idle_in_transaction_session_timeout', $3, false),"
    " pg_catalog.set_config('default_transaction_read_only', $4, false),"
    " pg_catalog.set_config('synchronous_commit', $5, false),"
    " pg_catalog.set_config('enable_seqscan', 'off', false),"
    " pg_catalog.set_config('enable_hashjoin', 'off', false),"
    " pg_catalog.set_config('enable_mergejoin', 'off', false),"
    " pg_catalog.set_config('enable_sort', 'off', false),"
    " pg_catalog.set_config('jit', 'off', false)";

std::string milliseconds(std::chrono::milliseconds time) { return std::to_string(time.count()); }

std::string field_of(ResultHandle const& result, int field) {
  char const* const text = libpq().result.error_field(result.get(), field);
  return text ? text : "";
}

void ignore_notice(void*, char const*) {}

}  // namespace

void check_server(ServerFacts const& server, Access access) {
  using enum StoreError::Kind;
  if (server.version < kOldestServer)
    throw StoreError{other, "the PostgreSQL server is too old (" + std::to_string(server.version / 10'000) +
                                "); Andon needs version 13 or later"};
  if (server.encoding != "UTF8")
    throw StoreError{other, "the database has the encoding " + one_line(server.encoding) +
                                "; Andon needs one that was created with the encoding UTF8"};
  if (server.is_standby && access != Access::read)
    throw StoreError{read_only,
                     "the PostgreSQL server is a standby, which takes no writes; name the primary "
                     "server in the URL"};
}

Connection::Connection(Settings const& settings, Access access) {
  connect(settings);
  set_up(settings, access);
}

void Connection::connect(Settings const& settings) {
  std::vector<char const*> keywords;
  std::vector<char const*> values;
  for (auto const& option : settings.options()) {
    keywords.push_back(option.keyword.c_str());
    values.push_back(option.value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  connection_.reset(libpq().connection.connect(keywords.data(), values.data(), 0));
  if (!connection_ || libpq().connection.status(connection_.get()) != CONNECTION_OK)
    throw StoreError{StoreError::Kind::busy,
                     "cannot connect to " + settings.display_url() + " (" + one_line(error()) + ")"};
  libpq().connection.set_notice_processor(connection_.get(), ignore_notice, nullptr);
}

void Connection::set_up(Settings const& settings, Access access) {
  auto const& calls = libpq().connection;
  char const* const encoding = calls.parameter(connection_.get(), "server_encoding");
  ServerFacts server{calls.server_version(connection_.get()), false, encoding ? encoding : ""};
  check_server(server, Access::read);
  cancel_.reset(libpq().cancel.get(connection_.get()));
  if (libpq().pipeline.enter(connection_.get()) == 0) lose("there is no pipeline mode");
  auto const& limits = settings.limits();
  auto const rows =
      query({"set up the connection", std::string{kSetUp}},
            Parameters::of("\"" + settings.schema() + "\", pg_temp", milliseconds(limits.statement),
                           milliseconds(limits.idle_in_transaction), access == Access::read ? "on" : "off",
                           access == Access::write_behind ? "off" : "on"));
  server.is_standby = rows[0].boolean(0);
  check_server(server, access);
}

Rows Connection::query(Statement const& statement, Parameters const& parameters) {
  send(statement, parameters);
  return finish();
}

void Connection::queue(Statement const& statement, Parameters const& parameters) {
  send(statement, parameters);
}

void Connection::flush() { finish(); }

void Connection::run_script(std::string const& name, std::string const& script) {
  flush();
  auto* const connection = connection_.get();
  if (is_lost_ || libpq().pipeline.exit(connection) == 0) lose(error());
  ResultHandle const result{libpq().pipeline.script(connection, script.c_str())};
  judge({Step::run, {}, name}, result);
  if (libpq().pipeline.enter(connection) == 0) is_lost_ = true;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

bool Connection::await_notice(std::string_view own, int stop, std::chrono::milliseconds most) {
  flush();
  std::array waiting{pollfd{libpq().connection.socket(connection_.get()), POLLIN, 0},
                     pollfd{stop, POLLIN, 0}};
  if (take_notices(own)) return true;
  ::poll(waiting.data(), waiting.size(), static_cast<int>(most.count()));
  return waiting[0].revents != 0 && take_notices(own);
}

bool Connection::take_notices(std::string_view own) {
  if (is_lost_ || libpq().connection.consume(connection_.get()) == 0) lose(error());
  bool out = false;
  while (auto* const notice = libpq().connection.notice(connection_.get())) {
    out = out || notice->extra != own;
    libpq().options.free_text(notice);
  }
  return out;
}

bool Connection::cancel() const {
  std::array<char, 256> error{};
  return cancel_ && libpq().cancel.send(cancel_.get(), error.data(), static_cast<int>(error.size())) != 0;
}

bool Connection::is_in_transaction() const {
  auto const status = libpq().connection.transaction(connection_.get());
  return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

bool Connection::has_failed_transaction() const {
  return libpq().connection.transaction(connection_.get()) == PQTRANS_INERROR;
}

void Connection::send(Statement const& statement, Parameters const& parameters) {
  if (is_lost_) throw failure(kConnectionFailure, "it ended earlier", "run " + statement.name);
  auto* const connection = connection_.get();
  auto const use = prepared_.use(statement.text, parameters.types());
  if (use.dropped) {
    auto const text = "DEALLOCATE " + *use.dropped;
    note_sent(libpq().pipeline.run_once(connection, text.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0),
              {Step::drop, *use.dropped, statement.name});
  }
  if (use.is_new) prepare(statement, use.name, parameters);
  auto const values = parameters.pointers();
  note_sent(libpq().pipeline.run(connection, use.name.c_str(), parameters.size(), values.data(),
                                 parameters.lengths().data(), parameters.formats().data(), kBinary),
            {Step::run, use.name, statement.name, statement.is_commit});
}

void Connection::prepare(Statement const& statement, std::string const& name, Parameters const& parameters) {
  note_sent(libpq().pipeline.prepare(connection_.get(), name.c_str(), statement.text.c_str(),
                                     parameters.size(), parameters.types().data()),
            {Step::prepare, name, statement.name});
}

/// libpq refuses to send when the connection is gone, when memory is short, and for too many parameters. The
/// order of the results is not known then, so the connection is given up.
void Connection::note_sent(int was_sent, Pending pending) {
  pending_.push_back(std::move(pending));
  if (was_sent == 0) lose(error());
}

/// Waits for the results of all that was sent, and returns the last one.
Rows Connection::finish() {
  if (pending_.empty()) return {};
  if (libpq().pipeline.sync(connection_.get()) == 0) lose(error());
  ResultHandle last;
  for (; !pending_.empty(); pending_.pop_front()) {
    last = receive();
    judge(pending_.front(), last);
    if (is_lost_) break;
  }
  if (!is_lost_ && libpq().result.status(receive().get()) != PGRES_PIPELINE_SYNC) is_lost_ = true;
  pending_.clear();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return Rows{std::move(last)};
}

/// The result of one step; libpq ends it with a null, but not that of a sync.
ResultHandle Connection::receive() {
  ResultHandle result{libpq().pipeline.receive(connection_.get())};
  if (!result || libpq().result.status(result.get()) == PGRES_PIPELINE_SYNC) return result;
  while (ResultHandle const more{libpq().pipeline.receive(connection_.get())})
    if (libpq().connection.status(connection_.get()) == CONNECTION_BAD) break;
  return result;
}

/// Notes a failure of the step.
void Connection::judge(Pending const& pending, ResultHandle const& result) {
  auto const status = result ? libpq().result.status(result.get()) : PGRES_FATAL_ERROR;
  bool const is_done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
  if (!is_done && pending.step == Step::prepare) prepared_.forget(pending.name);
  if (is_done) {
    note_changes(result);
    // A transaction with a failed statement is rolled back by its commit, and the server calls that a
    // success.
    if (pending.is_commit && std::string_view{libpq().result.command(result.get())} == "ROLLBACK")
      fail(pending, "25P02", "the transaction had failed and was rolled back");
    return;
  }
  if (status == PGRES_PIPELINE_ABORTED) return;  // the step that failed was noted
  auto const state = result ? field_of(result, PG_DIAG_SQLSTATE) : std::string{};
  if (state.empty()) return note_loss(pending, kConnectionFailure, error());
  auto const message = field_of(result, PG_DIAG_MESSAGE_PRIMARY);
  auto const severity = field_of(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  severity == "ERROR" ? fail(pending, state, message) : note_loss(pending, state, message);
}

void Connection::note_changes(ResultHandle const& result) {
  std::string_view const count = libpq().result.changed(result.get());
  changed_ = 0;
  std::from_chars(count.data(), count.data() + count.size(), changed_);
  if (libpq().result.status(result.get()) == PGRES_COMMAND_OK) written_ += changed_;
}

/// Only the first failure counts; the others follow from it.
void Connection::fail(Pending const& pending, std::string_view state, std::string_view message) {
  if (!failure_) failure_ = std::make_exception_ptr(failure(state, message, "run " + pending.statement));
}

/// Notes that the connection is gone, and with it the answer to what was sent.
void Connection::note_loss(Pending const& pending, std::string_view state, std::string_view message) {
  is_lost_ = true;
  if (!failure_ && std::ranges::any_of(pending_, &Pending::is_commit))
    failure_ = std::make_exception_ptr(UnknownResult{UnknownResult::Disk::works, one_line(message)});
  fail(pending, state, message);
}

/// Throws the failure of what was sent when the connection cannot be used any more.
void Connection::lose(std::string_view why) {
  if (pending_.empty()) pending_.push_back({Step::run, {}, "a statement"});
  note_loss(pending_.back(), kConnectionFailure, why);
  pending_.clear();
  std::rethrow_exception(std::exchange(failure_, nullptr));
}

std::string Connection::error() const {
  return connection_ ? libpq().connection.error(connection_.get()) : "there is no memory";
}

}  // namespace andon::store::postgres
