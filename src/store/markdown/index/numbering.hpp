#pragma once

#include <optional>

#include "store/engine/unit/unit.hpp"
#include "store/markdown/files/task_name.hpp"
#include "store/markdown/index/file_index.hpp"

namespace andon::store::markdown {

/// Maps the numbers in the files of a board to tasks of the store. In the index of a single directory both
/// are equal. An attached board shares its store with other boards: each directory counts from 1, the store
/// counts over all boards. A number keeps its task while the board is attached, even when its file is gone or
/// only other files name it.
class Numbering {
 public:
  static Numbering same() { return Numbering{kOnlyBoard, false}; }
  static Numbering of_attached(core::BoardId board) { return Numbering{board, true}; }

  core::BoardId board() const { return board_; }
  bool is_attached() const { return attached_; }

  /// The task of a number; nothing for a number that no file has named yet.
  std::optional<core::TaskId> id_of(engine::FileTable& files, FileNumber number) const;
  /// The task of a number; a new number gets a reserved task id.
  core::TaskId take_id(engine::Unit& tx, FileNumber number) const;
  /// The number of a task; nothing for a task of another board.
  std::optional<FileNumber> number_of(engine::FileTable& files, core::TaskId id) const;
  void note(engine::FileTable& files, FileNumber number, core::TaskId id) const;
  /// The highest number among the files in the index.
  FileNumber highest(engine::Unit& tx) const;
  void remove_all(engine::FileTable& files) const;

  /// Replaces task ids by numbers, as in the file. Tasks of other boards have no number there and are left
  /// out.
  core::Task in_file(engine::FileTable& files, core::Task task) const;
  core::Task in_store(engine::Unit& tx, core::Task task) const;
  /// Keeps the references to tasks of other boards, which a file cannot name.
  void keep_foreign(engine::FileTable& files, core::Task& task, core::Task const& known) const;

 private:
  Numbering(core::BoardId board, bool attached) : board_(board), attached_(attached) {}

  core::BoardId board_;
  bool attached_;
};

}  // namespace andon::store::markdown
