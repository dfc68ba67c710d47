#pragma once

#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "os/system_error.hpp"
#include "store/markdown/sync/board_mirror.hpp"

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
  /// False when a brief pass left changed files for the next one.
  bool run(Pass pass);

 private:
  struct Loaded {
    FileRow row;
    std::optional<core::Task> task;
    std::string text;
  };

  std::optional<ReadSettings> settings_in_files();
  void open_tasks(std::string const& name);
  bool take_settings();
  void take_board(core::Board const& read);
  void read_left_out(Difference& found);
  bool cut(Difference& found, Pass pass);
  Difference look(Pass pass);
  Difference left_unread(Pass pass);
  std::optional<Difference> compare();
  void load_all(Difference const& found);
  std::optional<std::int64_t> missed(Difference const& found);
  bool waits_for_missing(core::Task const& task, std::unordered_set<core::TaskId> const& read);
  void take_files(Difference const& found);
  void read_too_deep(Difference const& found);
  bool moves_parents();
  Loaded load(std::string const& name);
  void repair();
  void repair_numbers();
  void renumber(Loaded& loaded, FileNumber taken);
  void rewrite(Loaded& loaded, FileNumber number, std::string_view what);
  void handle_deleted(Difference const& found);
  void drop_unnamed();
  bool may_delete(FileRow const& row);
  void number_loaded();
  std::set<core::TaskId> too_deep_already();
  void leave_out_too_deep();
  void take_tasks();
  void take_task(Loaded& loaded);
  void drop(core::TaskId id);
  core::Task merged(core::Task task, core::Task const& known);
  void keep_server_part(core::Task& task, core::Task const& known);
  core::Task first_seen(core::Task task);
  std::int64_t open_dependencies(core::Task const& task);
  std::set<core::TaskId> unreadable();
  void recount_dependents();
  void fix_modes(Difference const& found);
  void raise_next_id();
  FileNumber highest_number();
  void number_after(FileNumber last);

  engine::Unit& tx_;
  Numbering numbering_;
  FileIndex index_;
  BoardFolder& folder_;
  os::Clock const& clock_;
  core::Instant const now_;
  Warnings& warnings_;
  std::set<std::string> const suspects_;
  Postponed* postponed_;
  core::Board board_;
  IndexState index_state_;
  bool is_fresh_ = false;
  bool is_filling_ = false;      ///< the index has never had all files: tasks that are read are no news
  core::Epoch past_epochs_ = 0;  ///< for an index that is made anew: the highest epoch ever given
  std::vector<Loaded> loaded_;
  bool is_numbered_ = false;                         ///< whether the tasks in `loaded_` have ids of the store
  std::unordered_map<core::TaskId, bool> terminal_;  ///< whether each task that was read is finished
  std::set<core::TaskId> unreadable_;                ///< numbers of files that cannot be read as tasks
  bool is_missing_ = false;                          ///< whether files are missing that may come back
  bool is_continued_ = false;                        ///< whether this run reads the rest of an earlier pass
  Pass pass_ = Pass::whole;
  bool is_cut_ = false;                            ///< whether changed files are left for the next pass
  std::vector<core::TaskId> terminality_changed_;  ///< tasks that were finished, reopened, added or dropped
  std::vector<core::TaskId> renumbered_;           ///< former tasks of files that got another number or name
};

}  // namespace andon::store::markdown
