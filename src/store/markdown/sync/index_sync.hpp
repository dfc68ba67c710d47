#pragma once

#include <set>
#include <string>

#include "store/markdown/sync/change_reader.hpp"

namespace andon::store::markdown {

/// Brings the index up to the files. With write access it runs under the board's lock. It repairs what
/// kanban-md's contract repairs at every load: numbers given twice, names that do not begin with the task's
/// number, `next_id`, file modes. Unreadable files are left out and reported. With read access nothing is
/// repaired, and of several files with one number all but one are left out.
class IndexSync {
 public:
  /// The files `suspects` are read even when their stamps are unchanged. `postponed` is null for a board that
  /// is compared once and not watched all the time.
  IndexSync(engine::Unit& tx, Numbering const& numbering, BoardFolder& folder, os::Clock const& clock,
            Warnings& warnings, std::set<std::string> suspects, Postponed* postponed);
  /// Runs once. False when a brief pass left changed files for the next one.
  bool run(Pass pass);

 private:
  void open_index();
  bool open_board();
  void take_changes(ReadChanges& read);
  bool take_files(ReadChanges& read);
  void store_state(ReadChanges const& read, bool is_missing);

  SyncRun run_;
  std::set<std::string> suspects_;
};

}  // namespace andon::store::markdown
