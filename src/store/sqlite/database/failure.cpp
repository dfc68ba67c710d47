#include "store/sqlite/database/failure.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include "store/contract/store_error.hpp"

namespace andon::store::sqlite {
namespace {

/// The errno of the last failed call on a file of the database. SQLite does not report it from a commit.
int file_error(sqlite3* db) {
  sqlite3_file* wal = nullptr;
  int error = 0;
  sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&wal));
  bool const can_tell = wal && wal->pMethods && wal->pMethods->xFileControl;  // a journal in memory has none
  if (can_tell) wal->pMethods->xFileControl(wal, SQLITE_FCNTL_LAST_ERRNO, &error);
  if (error == 0) sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}

/// SQLite reports only ENOSPC as full. A quota or a size limit appears as a failed write.
bool is_full(sqlite3* db, int code) {
  // SQLite does not keep the reason why the shared memory could not grow; a full disk is nearly always the
  // reason.
  if ((code & 0xFF) == SQLITE_FULL || code == SQLITE_IOERR_SHMSIZE) return true;
  if (code != SQLITE_IOERR_WRITE && code != SQLITE_IOERR_TRUNCATE) return false;
  auto const error = file_error(db);
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

StoreError::Kind kind_of(sqlite3* db, int code) {
  using enum StoreError::Kind;
  if (is_full(db, code)) return no_space;
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return busy;
    case SQLITE_INTERRUPT: return overlong;
    case SQLITE_READONLY: return read_only;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return damaged;
    default: return other;
  }
}

std::string_view advice(StoreError::Kind kind) {
  using enum StoreError::Kind;
  switch (kind) {
    case no_space: return "the disk is full; free some space, the same request will then work";
    case busy: return "another program holds the database; try again";
    case read_only: return "the database cannot be written; check its permissions and its file system";
    case overlong: return "the read took too long and was given up";
    case damaged: return "the database is damaged; stop the server and run `andon doctor`";
    default: return "the database failed";
  }
}

}  // namespace

StoreError failure(sqlite3* db, int code, std::string_view doing) {
  auto const kind = kind_of(db, code);
  std::string text{advice(kind)};
  text.append(" (").append(doing).append(": ").append(db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
  if (auto const error = db && (code & 0xFF) == SQLITE_IOERR ? file_error(db) : 0; error != 0)
    text.append(", ").append(std::strerror(error));
  return {kind, text.append(")")};
}

bool ends_writing(sqlite3* db, int code) { return (code & 0xFF) == SQLITE_IOERR && !is_full(db, code); }

}  // namespace andon::store::sqlite
