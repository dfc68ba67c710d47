#include "store/sqlite/database/copy.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

#include "os/files/descriptor.hpp"
#include "store/contract/store_error.hpp"
#include "store/sqlite/database/failure.hpp"

namespace andon::store::sqlite {
namespace {

/// The number of pages per step: 4 MiB.
constexpr int kPagesPerStep = 1024;

StoreError cannot(std::string const& what, std::filesystem::path const& file) {
  auto const kind = errno == ENOSPC || errno == EDQUOT  ? StoreError::Kind::no_space
                    : errno == EROFS || errno == EACCES ? StoreError::Kind::read_only
                    : errno == EEXIST                   ? StoreError::Kind::refused
                                                        : StoreError::Kind::other;
  return {kind, "cannot " + what + " " + file.native() + ": " + std::strerror(errno)};
}

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
using Database = std::unique_ptr<sqlite3, Close>;

Database open_to_write(std::filesystem::path const& file) {
  sqlite3* opened = nullptr;
  auto const code = sqlite3_open_v2(
      file.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  Database db{opened};
  if (code != SQLITE_OK) throw failure(opened, code, "open " + file.native());
  return db;
}

void run(Database const& db, char const* sql) {
  auto const code = sqlite3_exec(db.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw failure(db.get(), code, "prepare the copy");
}

void copy_pages(Connection& from, std::filesystem::path const& to) {
  auto const db = open_to_write(to);
  run(db, "PRAGMA synchronous=OFF");
  auto* backup = sqlite3_backup_init(db.get(), "main", from.handle(), "main");
  if (!backup) throw failure(db.get(), sqlite3_errcode(db.get()), "copy the database");
  int code = SQLITE_OK;
  while (code == SQLITE_OK) code = sqlite3_backup_step(backup, kPagesPerStep);
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) throw failure(db.get(), code, "copy the database");
  run(db, "PRAGMA journal_mode=DELETE");
}

void make_private_file(std::filesystem::path const& file) {
  os::Descriptor const made{::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!made) throw cannot("make", file);
}

}  // namespace

void sync_file(std::filesystem::path const& file) {
  auto const above = file.has_parent_path() ? file.parent_path() : std::filesystem::path{"."};
  for (auto const& path : {file, above}) {
    os::Descriptor const opened{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!opened || ::fsync(opened.get()) != 0) throw cannot("bring to the disk", path);
  }
}

void copy_database(Connection& from, std::filesystem::path const& to) {
  make_private_file(to);
  try {
    copy_pages(from, to);
    sync_file(to);
  } catch (...) {
    ::unlink(to.c_str());
    throw;
  }
}

}  // namespace andon::store::sqlite
