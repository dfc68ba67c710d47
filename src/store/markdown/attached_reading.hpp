#pragma once

#include <memory>
#include <utility>

#include "store/markdown/attached_board.hpp"

namespace andon::store::markdown {

/// Thrown when files would be read while git changes them: they may belong to two states of the board.
struct GitIsWorking {};

/// Brings the store up to the files of attached boards.
class AttachedReading {
 public:
  /// The clock and the warnings are not owned.
  AttachedReading(os::Clock const& clock, Warnings& warnings, std::shared_ptr<os::DirectoryWatch> watch)
      : clock_(clock), warnings_(warnings), watch_(std::move(watch)) {}

  /// Reads the changed files of a board. Throws GitIsWorking when git worked while they were read: they may
  /// belong to two states, or a failed read may be due to git.
  void bring_up(engine::Unit& tx, core::BoardId id, AttachedBoard& board);
  /// Opens the board again when its directory was replaced, as git does with directories.
  void open(core::BoardId id, AttachedBoard& board);
  /// Takes the lock of the board. Throws StoreError{unreachable} when another process holds it for long.
  static void hold(AttachedBoard& board);
  /// True when the names that were touched may have changed a setting or a task of the board.
  bool has_changed(engine::Unit& tx, core::BoardId id, AttachedBoard const& board) const;

 private:
  void read(engine::Unit& tx, core::BoardId id, AttachedBoard& board);
  bool compare(engine::Unit& tx, core::BoardId id, AttachedBoard& board);
  void watch_directories(core::BoardId id, AttachedBoard& board);
  void tell_problems(engine::Unit& tx, core::BoardId id, AttachedBoard const& board);

  os::Clock const& clock_;
  Warnings& warnings_;
  std::shared_ptr<os::DirectoryWatch> const watch_;
};

}  // namespace andon::store::markdown
