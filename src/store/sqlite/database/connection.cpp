#include "store/sqlite/database/connection.hpp"

#include <algorithm>

#include "store/sqlite/database/failure.hpp"
#include "store/sqlite/database/log_room.hpp"
#include "store/sqlite/database/log_vfs.hpp"
#include "store/sqlite/database/text_function.hpp"

namespace andon::store::sqlite {
namespace {

using sql::Dialect;

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

SqliteCursor& first_of(StatementPool& pool) {
  auto& out = *pool.idle.back().release();
  pool.idle.pop_back();
  ++pool.lent;
  return out;
}

}  // namespace

Connection::Connection(std::string const& path, Mode mode)
    : sql::Connection(Dialect::sqlite),
      path_(mode == Mode::memory ? std::string{} : path),
      named_(named_texts(Dialect::sqlite).size()) {
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
  named_.clear();
  assembled_.clear();
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

void Connection::reserve_room() { reserve_log_room(*this); }

void Connection::fail(int code, std::string_view doing) {
  note_failure(ends_writing(db_, code));
  throw failure(db_, code, doing);
}

/// Puts another cursor of the text into the pool.
void Connection::prepare(StatementPool& pool, std::string const& text) {
  sqlite3_stmt* handle = nullptr;
  auto const code = sqlite3_prepare_v3(db_, text.data(), static_cast<int>(text.size()),
                                       SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) fail(code, kRunning);
  pool.idle.push_back(std::make_unique<SqliteCursor>(*this, pool, handle));
}

sql::Cursor& Connection::lend(Query const& query) {
  auto& pool = named_[query.index()];
  if (pool.idle.empty()) prepare(pool, text(query));
  return first_of(pool);
}

void Connection::drop_unused_texts() {
  std::erase_if(assembled_, [](auto const& entry) { return entry.second.lent == 0; });
}

sql::Cursor& Connection::lend(std::string const& text) {
  if (assembled_.size() >= kAssembledTexts && !assembled_.contains(text)) drop_unused_texts();
  auto& pool = assembled_[text];
  if (pool.idle.empty()) prepare(pool, text);
  return first_of(pool);
}

void Connection::execute(std::string const& sql) {
  auto const code = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code, kRunning);
}

std::string Connection::value_of(std::string const& sql) {
  auto statement = assembled(sql);
  return statement.step() ? statement.text(0) : std::string{};
}

}  // namespace andon::store::sqlite
