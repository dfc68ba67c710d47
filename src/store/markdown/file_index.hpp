#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/task.hpp"
#include "store/markdown/directory.hpp"
#include "store/sqlite/connection.hpp"

namespace andon::store::markdown {

/// Longer than the tick of any kernel's clock for files (10 ms at 100 Hz), in nanoseconds.
inline constexpr std::int64_t kTick = 20'000'000;

/// What the index knows of a file.
struct FileRow {
  std::string name;
  std::optional<core::TaskId> task;  ///< nothing where it could not be read as one
  Stamp stamp;
  std::int64_t seen = 0;  ///< when it was read, nanoseconds since 1970; 0: it must be read again
  std::int64_t hash = 0;
  std::optional<core::Instant> claim_end;
  std::string problem;
  bool settled = false;  ///< archived: looked at only when the directory changed
};

/// Whether a file may have been written again without another stamp: clocks of file systems tick in
/// milliseconds.
bool is_doubtful(FileRow const& row);

/// What is kept beside the files; absent numbers are 0.
struct BesideFiles {
  std::int64_t names = 0;  ///< sum over the names and inodes of the directory
  Stamp directory;
  std::int64_t directory_seen = 0;
  FileRow settings;  ///< of `config.yml`
  std::int64_t next_id = 1;
  std::string tasks_dir;
};

/// The board of an index that shows one directory.
inline constexpr core::BoardId kOnlyBoard = 1;

/// The rows of the index that tell which state of which file of a board it shows. A view of a connection.
class FileIndex {
 public:
  explicit FileIndex(sqlite::Connection& db, core::BoardId board = kOnlyBoard) : db_(db), board_(board) {}

  /// Whether the files of the board were ever looked at.
  bool exists();
  void begin();
  void remove_all();
  /// Visits the files that are not settled until `visit` returns false; the row lives until the next one.
  void each_watched(std::function<bool(FileRow const&)> const& visit);
  std::vector<FileRow> all();
  std::optional<FileRow> of_task(core::TaskId task);
  std::optional<FileRow> named(std::string const& name);
  void put(FileRow const& row);
  void remove(std::string const& name);
  std::vector<std::pair<std::string, std::string>> problems();

  std::int64_t past_epoch(core::TaskId task);
  void remember_epoch(core::TaskId task, std::int64_t epoch);

  BesideFiles beside();
  void put(BesideFiles const& beside);

 private:
  sqlite::Connection& db_;
  core::BoardId board_;
};

/// FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo).
std::int64_t hash_of(std::string_view bytes);
/// A sum over names and inodes that does not depend on their order.
std::int64_t name_part(std::string_view name, std::int64_t inode);

}  // namespace andon::store::markdown
