#include "store/sqlite/driver/sqlite_driver.hpp"

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "store/contract/unknown_result.hpp"
#include "store/sqlite/database/failure.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/sqlite/session/sqlite_session.hpp"

namespace andon::store::sqlite {
namespace {

/// In pages. One block of the WAL's index covers this many pages, so readers search only one block.
constexpr int kCheckpoint = 4000;
constexpr int kCheckpointAgain = 1000;
/// In pages. A shorter log is left to the next process, which reads it when it opens the database.
constexpr int kPagesLeft = 100;

int count_pages(void* pages, sqlite3*, char const*, int count) {
  *static_cast<std::atomic<int>*>(pages) = count;
  return SQLITE_OK;
}

}  // namespace

SqliteDriver::SqliteDriver(std::unique_ptr<Connection> writing, Writers writers,
                           std::unique_ptr<OwnerLock> lock)
    : lock_(std::move(lock)),
      path_(writing->path()),
      to_open_(std::move(writing)),
      db_(to_open_.get()),
      writers_(writers),
      files_(writers == Writers::many ? nullptr : DatabaseFiles::of(*db_)),
      checkpoint_at_(kCheckpoint) {
  log_.emplace(*db_);
  if (!path_.empty()) attachments_.emplace(std::filesystem::absolute(path_).parent_path());
  sqlite3_wal_hook(db_->handle(), count_pages, &log_pages_);
}

std::unique_ptr<engine::Session> SqliteDriver::open(engine::Rights rights) {
  if (rights == engine::Rights::write) {
    if (!to_open_) throw std::logic_error{"a database has one session that writes"};
    return std::make_unique<SqliteSession>(std::move(to_open_));
  }
  auto db = std::make_unique<Connection>(path_, Mode::reader);
  refuse_newer(*db);
  return std::make_unique<SqliteSession>(std::move(db));
}

void SqliteDriver::sync() {
  log_->sync();
  if (auto const found = trouble()) throw UnknownResult{UnknownResult::Disk::gone, *found};
}

std::optional<std::string> SqliteDriver::trouble() const { return files_ ? files_->trouble() : std::nullopt; }

engine::Tidied SqliteDriver::tidy(engine::Occasion occasion) {
  if (occasion == engine::Occasion::data_gone) {
    rescue_log();
    return {};
  }
  if (occasion == engine::Occasion::left_as_is) {
    sqlite3_db_config(db_->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    return {};
  }
  bool const is_due = occasion == engine::Occasion::disk_full || log_pages_ >= checkpoint_at_;
  return is_due ? checkpoint() : engine::Tidied{};
}

/// A log that was deleted still holds commits that were acknowledged; they are copied into the database.
void SqliteDriver::rescue_log() {
  if (files_ && files_->is_database_there())
    sqlite3_wal_checkpoint_v2(db_->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

/// Copies the WAL back into the database between batches, never during a write. The WAL file is kept and
/// overwritten. When several processes share the log, it stays whole until one of them has copied it back, so
/// a failure ends nothing.
engine::Tidied SqliteDriver::checkpoint() {
  if (files_) files_->begin_checkpoint();
  int pages = 0, copied = 0;
  auto const code =
      sqlite3_wal_checkpoint_v2(db_->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied);
  if (files_) files_->end_checkpoint();
  if (code != SQLITE_OK && writers_ == Writers::this_process && ends_writing(db_->handle(), code))
    return {true, std::make_exception_ptr(failure(db_->handle(), code, "checkpoint"))};
  checkpoint_at_ = pages == copied ? kCheckpoint : pages + kCheckpointAgain;
  return {true, nullptr};
}

engine::DriverState SqliteDriver::state() const {
  return {trouble(), files_ != nullptr, log_pages_ >= kPagesLeft};
}

}  // namespace andon::store::sqlite
