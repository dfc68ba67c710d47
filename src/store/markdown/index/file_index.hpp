#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/task.hpp"
#include "store/markdown/files/directory.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::markdown {

/// What the index knows of a file.
struct FileRow {
  std::string name;
  std::optional<core::TaskId> task;  ///< nothing where it could not be read as one
  Stamp stamp;
  std::int64_t seen = 0;  ///< when it was read, nanoseconds since 1970; 0: it must be read again
  std::int64_t hash = 0;
  std::optional<core::Instant> claim_end;
  std::string problem;
  bool settled = false;  ///< archived: looked at less often where there are many
};

/// Whether a file may have been written again without another stamp, within a tick of its clock.
bool is_doubtful(FileRow const& row);

/// What is kept beside the files; absent numbers are 0.
struct IndexState {
  std::int64_t names = 0;  ///< sum over the names and inodes of the directory
  Stamp directory;
  std::int64_t directory_seen = 0;
  FileRow settings;  ///< of `config.yml`
  std::int64_t next_id = 1;
  std::int64_t is_filling = 0;  ///< 1: the files have never all been read yet
  std::string tasks_dir;
  std::int64_t published = 0;     ///< the number of the last unit of work that wrote files
  std::int64_t settled = 0;       ///< how many archived files there were at the last look at them
  std::int64_t settled_seen = 0;  ///< when that was, nanoseconds since 1970
  std::int64_t swept = 0;         ///< 1: no task is left that files of the past told
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
  /// The same for those that are.
  void each_settled(std::function<bool(FileRow const&)> const& visit);
  std::vector<FileRow> all();
  std::optional<FileRow> of_task(core::TaskId task);
  std::optional<FileRow> named(std::string const& name);
  void put(FileRow const& row);
  void remove(std::string const& name);
  std::vector<std::pair<std::string, std::string>> problems();
  /// Tasks of the board that no file tells.
  std::vector<core::TaskId> without_file();

  std::int64_t past_epoch(core::TaskId task);
  void remember_epoch(core::TaskId task, std::int64_t epoch);

  IndexState beside();
  void put(IndexState const& beside);

 private:
  sqlite::Connection& db_;
  core::BoardId board_;
};

/// FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo).
std::int64_t hash_of(std::string_view bytes);
/// A sum over names and inodes that does not depend on their order.
std::int64_t name_part(std::string_view name, std::int64_t inode);

}  // namespace andon::store::markdown
