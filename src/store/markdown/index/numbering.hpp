#pragma once

#include <optional>

#include "store/markdown/index/file_index.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::markdown {

/// Which task of the store a number in the files of a board stands for. Where the directory has an index of
/// its own they are the same. An attached board shares its store with others: files count from 1 in every
/// directory, the store over all boards. A number keeps its task for as long as the board is attached, also
/// while the file is gone or only named by others.
class Numbering {
 public:
  static Numbering same() { return Numbering{kOnlyBoard, false}; }
  static Numbering of_attached(core::BoardId board) { return Numbering{board, true}; }

  core::BoardId board() const { return board_; }
  bool is_attached() const { return attached_; }

  /// Nothing for a number that no file has told yet.
  std::optional<core::TaskId> id_of(sqlite::Connection& db, std::int64_t number) const;
  /// The same, where a number that is new gets a task that is yet to come.
  core::TaskId take_id(sqlite::Transaction& tx, std::int64_t number) const;
  /// Nothing for a task of another board.
  std::optional<std::int64_t> number_of(sqlite::Connection& db, core::TaskId id) const;
  void note(sqlite::Connection& db, std::int64_t number, core::TaskId id) const;
  /// The highest number of a file that the index knows.
  std::int64_t highest(sqlite::Connection& db) const;
  void remove_all(sqlite::Connection& db) const;

  /// A task as its file names it and others; what is on other boards cannot be named there.
  core::Task in_file(sqlite::Connection& db, core::Task task) const;
  core::Task in_store(sqlite::Transaction& tx, core::Task task) const;
  /// Keeps those others of other boards that a file cannot name.
  void keep_foreign(sqlite::Connection& db, core::Task& task, core::Task const& known) const;

 private:
  Numbering(core::BoardId board, bool attached) : board_(board), attached_(attached) {}

  core::BoardId board_;
  bool attached_;
};

}  // namespace andon::store::markdown
