#include "store/sqlite/database/connection.hpp"

#include <algorithm>

#include "store/sqlite/database/failure.hpp"
#include "store/sqlite/database/log_vfs.hpp"
#include "store/sqlite/database/text_function.hpp"

namespace andon::store::sqlite {
namespace {

/// The text of an error that concerns an SQL statement. Users run Andon and cannot use the place in the SQL.
constexpr std::string_view kStatement = "run a statement";
/// The number of instructions of SQLite's virtual machine between two checks of the time limit: some
/// microseconds.
constexpr int kStepsBetweenLooks = 2'000;

// When this many assembled statements are cached, the unused ones are removed.
constexpr std::size_t kAssembledTexts = 128;

constexpr char kEverySettings[] =
    "PRAGMA busy_timeout=5000; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY;";
/// synchronous=NORMAL leaves the sync after a commit to the writer, which answers no unit before the sync:
/// see `Flusher`. The WAL is overwritten in place; it is truncated only after it once grew beyond 64 MiB. The
/// writer runs the checkpoints. A larger cache costs more than it saves: SQLite 3.40 searches all of it at
/// most commits.
constexpr char kOwnerSettings[] =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0;"
    "PRAGMA journal_size_limit=67108864; PRAGMA secure_delete=FAST; PRAGMA cache_size=-4096;";
constexpr char kReaderSettings[] = "PRAGMA query_only=ON; PRAGMA cache_size=-8192;";
constexpr char kMemorySettings[] = "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;";

/// Andon does not use SQLite's memory statistics, and they cost a lock per allocation.
void count_no_memory() {
  static int const done = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(done);
}

int flags_of(Mode mode) {
  int const shared = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (mode) {
    case Mode::owner: return shared | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Mode::reader: return shared | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    case Mode::memory: return shared | SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY;
  }
  return shared;
}

constexpr int kStepsCounted = 1000;

int count_steps(void* steps) {
  ++*static_cast<std::int64_t*>(steps);
  return 0;
}

void finalize(StatementPool& pool) {
  for (auto const& prepared : pool.idle) sqlite3_finalize(prepared.handle);
  pool.idle.clear();
}

}  // namespace

Statement::Statement(Connection& db, Prepared prepared, StatementPool& pool)
    : db_(db), prepared_(std::move(prepared)), pool_(&pool) {
  ++pool_->lent;
}

Statement::~Statement() {
  if (!pool_) return;
  sqlite3_reset(prepared_.handle);
  --pool_->lent;
  pool_->idle.push_back(std::move(prepared_));
}

bool Statement::step() {
  auto const code = sqlite3_step(prepared_.handle);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  db_.fail(code, kStatement);
}

std::string_view Statement::view(int column) const {
  auto const* text = static_cast<char const*>(sqlite3_column_blob(prepared_.handle, column));
  return {text ? text : "", static_cast<std::size_t>(sqlite3_column_bytes(prepared_.handle, column))};
}

std::optional<core::Instant> Statement::maybe_instant(int column) const {
  if (is_null(column)) return std::nullopt;
  return instant(column);
}

/// The place of a parameter; 0 when the statement does not use it. Assembled statements leave parts out.
int Statement::place(int parameter) const {
  auto const at = static_cast<std::size_t>(parameter);
  return at < prepared_.places.size() ? prepared_.places[at] : 0;
}

void Statement::bind(int parameter, std::nullptr_t) {
  if (int const at = place(parameter)) sqlite3_bind_null(prepared_.handle, at);
}

void Statement::bind(int parameter, std::int64_t value) {
  if (int const at = place(parameter)) sqlite3_bind_int64(prepared_.handle, at, value);
}

void Statement::bind(int parameter, double value) {
  if (int const at = place(parameter)) sqlite3_bind_double(prepared_.handle, at, value);
}

void Statement::bind_text(int parameter, std::string_view value, sqlite3_destructor_type lifetime) {
  int const at = place(parameter);
  if (at == 0) return;
  auto const* text = value.data() ? value.data() : "";
  auto const code = sqlite3_bind_text64(prepared_.handle, at, text, value.size(), lifetime, SQLITE_UTF8);
  if (code != SQLITE_OK) db_.fail(code, "bind");
}

Connection::Connection(std::string const& path, Mode mode)
    : path_(mode == Mode::memory ? std::string{} : path), named_(named_texts().size()) {
  count_no_memory();
  auto const code = sqlite3_open_v2(mode == Mode::memory ? ":memory:" : path.c_str(), &db_, flags_of(mode),
                                    mode == Mode::owner ? log_vfs() : nullptr);
  try {
    if (code != SQLITE_OK) fail(code, "open " + path);
    execute(kEverySettings);
    if (!add_text_function(db_)) fail(SQLITE_NOMEM, "add a function");
    switch (mode) {
      case Mode::owner:
        execute(kOwnerSettings);
        sqlite3_progress_handler(db_, kStepsCounted, count_steps, &steps_);
        break;
      case Mode::reader:
        execute(kReaderSettings);
        sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        break;
      case Mode::memory:
        execute(kMemorySettings);
        sqlite3_progress_handler(db_, kStepsCounted, count_steps, &steps_);
        break;
    }
  } catch (...) {
    close();
    throw;
  }
}

Connection::~Connection() { close(); }

void Connection::close() {
  std::ranges::for_each(named_, finalize);
  for (auto& [text, pool] : assembled_) finalize(pool);
  sqlite3_close_v2(db_);
  db_ = nullptr;
}

void Connection::give_up_after(std::chrono::milliseconds most,
                               std::shared_ptr<std::atomic<bool> const> abandoned) {
  limit_ = Limit{os::SteadyClock::now() + most, std::move(abandoned)};
  sqlite3_progress_handler(
      db_, kStepsBetweenLooks,
      [](void* given) {
        auto const& limit = *static_cast<Limit const*>(given);
        bool const is_abandoned = limit.abandoned && *limit.abandoned;
        return is_abandoned || os::SteadyClock::now() >= limit.end ? 1 : 0;
      },
      &*limit_);
}

void Connection::give_up_never() {
  if (!limit_) return;
  sqlite3_progress_handler(db_, 0, nullptr, nullptr);
  limit_.reset();
}

void Connection::fail(int code, std::string_view doing) {
  failed_ = true;
  unsound_ = ends_writing(db_, code);
  throw failure(db_, code, doing);
}

Prepared Connection::prepare(std::string const& text) {
  Prepared out;
  auto const code = sqlite3_prepare_v3(db_, text.data(), static_cast<int>(text.size()),
                                       SQLITE_PREPARE_PERSISTENT, &out.handle, nullptr);
  if (code != SQLITE_OK) fail(code, kStatement);
  out.places.push_back(0);
  for (int parameter = 1, left = sqlite3_bind_parameter_count(out.handle); left > 0 && parameter < 100;
       ++parameter) {
    auto const name = "$" + std::to_string(parameter);
    out.places.push_back(sqlite3_bind_parameter_index(out.handle, name.c_str()));
    if (out.places.back() != 0) --left;
  }
  return out;
}

Statement Connection::lend(StatementPool& pool, std::string const& text) {
  if (pool.idle.empty()) return {*this, prepare(text), pool};
  auto prepared = std::move(pool.idle.back());
  pool.idle.pop_back();
  return {*this, std::move(prepared), pool};
}

void Connection::drop_unused_texts() {
  for (auto entry = assembled_.begin(); entry != assembled_.end();) {
    if (entry->second.lent == 0) finalize(entry->second);
    entry = entry->second.lent == 0 ? assembled_.erase(entry) : std::next(entry);
  }
}

Statement Connection::assembled(std::string const& text) {
  if (assembled_.size() >= kAssembledTexts && !assembled_.contains(text)) drop_unused_texts();
  return lend(assembled_[text], text);
}

void Connection::execute(std::string const& sql) {
  auto const code = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code, kStatement);
}

std::string Connection::value_of(std::string const& sql) {
  auto statement = assembled(sql);
  return statement.step() ? statement.text(0) : std::string{};
}

}  // namespace andon::store::sqlite
