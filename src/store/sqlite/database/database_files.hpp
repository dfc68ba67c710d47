#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>

#include "os/processes/mutex.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// The two files of an open database, compared with the files that stand under their names. SQLite goes on
/// with a file that was deleted, moved or replaced: what it commits there is lost.
class DatabaseFiles {
 public:
  /// Nothing for a database in memory. The connection has read from the database, so its log is there.
  static std::unique_ptr<DatabaseFiles> of(Connection& db);

  /// The sentence that names the first file that is another one, or none, or shorter than it was; nothing
  /// while both are as they were. Trouble that was found once stays. May be called on any thread.
  std::optional<std::string> trouble() const;
  /// Whether the database is as it was, and can take what a deleted log holds.
  bool is_database_there() const { return is_whole(database_, size_); }

  /// Around a checkpoint, which alone may change the size of the database.
  void begin_checkpoint() { size_ = 0; }
  void end_checkpoint();

 private:
  struct File {
    std::string path;
    dev_t device{};
    ino_t inode{};
  };

  DatabaseFiles(std::string const& database, std::string const& log);
  static File look_at(std::string const& path);
  std::optional<std::string> look() const;
  static bool is_whole(File const& file, std::int64_t least);

  File database_;
  File log_;
  mutable os::Mutex mutex_;
  mutable std::optional<std::string> trouble_ GUARDED_BY(mutex_);
  std::atomic<std::int64_t> size_ = 0;  ///< of the database after the last checkpoint, in bytes
};

}  // namespace andon::store::sqlite
