#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/id.hpp"
#include "core/time/time.hpp"

namespace andon::store::engine {

/// The properties by which a file is recognised as unchanged.
struct FileStamp {
  std::int64_t size = 0;
  std::int64_t modified = 0;  ///< nanoseconds since 1970
  std::int64_t changed = 0;   ///< time of change of the inode, nanoseconds since 1970
  std::int64_t inode = 0;
  bool operator==(FileStamp const&) const = default;
};

/// The row of a database for one file of a board that is kept in files.
struct FileRow {
  std::string name;
  std::optional<core::TaskId> task;  ///< nothing when the file could not be read as a task
  FileStamp stamp;
  std::int64_t seen = 0;  ///< when it was read, nanoseconds since 1970; 0 means that it must be read again
  std::int64_t hash = 0;
  std::optional<core::Instant> claim_end;
  std::string problem;
  bool settled = false;  ///< archived; when there are many such files, they are compared less often
};

/// A set of files of a board.
struct FilesQuery {
  enum class Kind { all, watched, settled, with_problem, named, of_task };
  core::BoardId board = 0;
  Kind kind{};
  std::string name{};     ///< of the file
  core::TaskId task = 0;  ///< on whatever board
};

/// A number in the files of a board and the task that it stands for.
struct FileNumberRow {
  core::BoardId board = 0;
  std::int64_t number = 0;
  core::TaskId task = 0;
};
/// Looks a number up by itself, by its task (on whatever board), or finds the highest one that a file has.
struct FileNumberQuery {
  core::BoardId board = 0;
  std::optional<std::int64_t> number{};
  std::optional<core::TaskId> task{};
};

/// A value that a board keeps beside its rows, with its name.
using FileValue = std::pair<std::string, std::variant<std::int64_t, std::string>>;

/// Changes of the rows of one board.
struct FileWrites {
  core::BoardId board = 0;
  bool forgets_all = false;    ///< all rows and values go first
  bool drops_numbers = false;  ///< all numbers of the board go; those of tasks stay given
  std::vector<FileRow> files{};
  std::vector<std::string> removed{};  ///< names of files
  std::vector<FileValue> values{};
  std::vector<FileNumberRow> numbers{};
  std::vector<std::pair<core::TaskId, core::Epoch>> past_epochs{};  ///< the highest one stays
};

/// The tables in which a database records which state of each file it shows. Failures are thrown as
/// StoreError.
class FileTable {
 public:
  virtual ~FileTable() = default;
  virtual std::vector<FileRow> files(FilesQuery const& query) = 0;
  virtual std::vector<FileValue> values(core::BoardId board) = 0;
  virtual std::optional<FileNumberRow> number(FileNumberQuery const& query) = 0;
  /// Tasks of the board that no file contains.
  virtual std::vector<core::TaskId> tasks_without_file(core::BoardId board) = 0;
  /// The highest epoch that a task had before its file was removed; 0 for none.
  virtual core::Epoch past_epoch(core::TaskId task) = 0;
  virtual void write(FileWrites const& writes) = 0;
  /// Reserves room on the disk, beyond what is used now, for the commit of a usual batch. Throws
  /// StoreError{no_space} when there is none. File systems that cannot reserve room are passed over.
  virtual void reserve_room() = 0;
};

}  // namespace andon::store::engine
