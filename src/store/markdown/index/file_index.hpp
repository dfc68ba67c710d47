#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/task.hpp"
#include "store/engine/file_table.hpp"
#include "store/markdown/files/directory.hpp"

namespace andon::store::markdown {

using engine::FileRow;

/// Whether the file may have been written again with an unchanged stamp: it was read within a tick of the
/// file system's clock after its modification.
bool is_doubtful(FileRow const& row);

/// The state of the whole index of a board; absent numbers are 0.
struct IndexState {
  std::int64_t names = 0;  ///< sum of `name_part` over the directory
  Stamp directory;
  std::int64_t directory_seen = 0;
  FileRow settings;  ///< the row of `config.yml`
  std::int64_t next_id = 1;
  std::int64_t is_filling = 0;  ///< 1 until all files have been read once
  std::string tasks_dir;
  std::int64_t published = 0;     ///< the number of the last unit of work that wrote files
  std::int64_t settled = 0;       ///< the number of archived files at the last comparison of them
  std::int64_t settled_seen = 0;  ///< the time of that comparison, nanoseconds since 1970
  std::int64_t swept = 0;         ///< 1 once tasks that no file contains have been removed
};

/// The board of an index of a single directory.
inline constexpr core::BoardId kOnlyBoard = 1;

/// The rows of the index that record which state of each file of a board the index shows. A view of
/// the tables, which it does not own.
class FileIndex {
 public:
  explicit FileIndex(engine::FileTable& files, core::BoardId board = kOnlyBoard)
      : files_(files), board_(board) {}

  /// Whether the files of the board were ever read.
  bool exists();
  void begin();
  void remove_all();
  /// The files that are not settled.
  std::vector<FileRow> watched();
  std::vector<FileRow> settled();
  std::vector<FileRow> all();
  std::optional<FileRow> of_task(core::TaskId task);
  std::optional<FileRow> named(std::string const& name);
  void put(FileRow const& row);
  void remove(std::string const& name);
  std::vector<std::pair<std::string, std::string>> problems();
  /// Tasks of the board that no file contains.
  std::vector<core::TaskId> without_file();

  core::Epoch past_epoch(core::TaskId task);
  void remember_epoch(core::TaskId task, core::Epoch epoch);

  IndexState beside();
  void put(IndexState const& beside);

 private:
  engine::FileTable& files_;
  core::BoardId board_;
};

/// The summand of a name and an inode. The sum over a directory does not depend on the order of its entries.
std::int64_t name_part(std::string_view name, std::int64_t inode);

}  // namespace andon::store::markdown
