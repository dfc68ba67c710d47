#include "store/sqlite/driver/log_file.hpp"

#include "store/contract/unknown_result.hpp"

namespace andon::store::sqlite {

void LogFile::find() {
  is_known_ = true;
  sqlite3_file_control(db_.handle(), "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&file_));
}

/// Syncs the log as SQLite does after a commit with synchronous=FULL:
/// https://www.sqlite.org/c3ref/io_methods.html
void LogFile::sync() {
  if (!is_known_) find();
  if (!file_ || !file_->pMethods) return;
  if (auto const code = file_->pMethods->xSync(file_, SQLITE_SYNC_NORMAL); code != SQLITE_OK)
    throw UnknownResult{UnknownResult::Disk::failed, std::string{"sync of the log: "} + sqlite3_errstr(code)};
}

}  // namespace andon::store::sqlite
