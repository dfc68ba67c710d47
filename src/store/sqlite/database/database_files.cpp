#include "store/sqlite/database/database_files.hpp"

#include <cerrno>
#include <cstring>

#include "store/contract/store_error.hpp"

namespace andon::store::sqlite {

std::unique_ptr<DatabaseFiles> DatabaseFiles::of(Connection& db) {
  auto const* resolved = sqlite3_db_filename(db.handle(), "main");
  if (db.path().empty() || !resolved || *resolved == '\0') return nullptr;
  return std::unique_ptr<DatabaseFiles>{new DatabaseFiles(db.path(), std::string{resolved} + "-wal")};
}

DatabaseFiles::DatabaseFiles(std::string const& database, std::string const& log)
    : database_(look_at(database)), log_(look_at(log)) {
  end_checkpoint();
}

DatabaseFiles::File DatabaseFiles::look_at(std::string const& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0)
    throw StoreError{StoreError::Kind::other, "cannot look at " + path + ": " + std::strerror(errno)};
  return {path, about.st_dev, about.st_ino};
}

bool DatabaseFiles::is_whole(File const& file, std::int64_t least) {
  struct stat about{};
  return ::stat(file.path.c_str(), &about) == 0 && about.st_dev == file.device &&
         about.st_ino == file.inode && about.st_size >= least;
}

std::optional<std::string> DatabaseFiles::trouble() const {
  os::MutexLock const lock{mutex_};
  if (!trouble_) trouble_ = look();
  return trouble_;
}

std::optional<std::string> DatabaseFiles::look() const {
  bool const is_there = is_database_there();
  if (is_there && is_whole(log_, 0)) return std::nullopt;
  return (is_there ? log_ : database_).path +
         " was deleted, moved, replaced or cut short while it was in use, and nothing is written any more; "
         "put the file back, or restore a backup with `andon restore`";
}

void DatabaseFiles::end_checkpoint() {
  struct stat about{};
  size_ = ::stat(database_.path.c_str(), &about) == 0 ? about.st_size : 0;
}

}  // namespace andon::store::sqlite
