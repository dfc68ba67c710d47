#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/event.hpp"
#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/files/task_name.hpp"
#include "store/markdown/index/file_index.hpp"
#include "store/markdown/index/publication.hpp"
#include "store/markdown/yaml/settings_reading.hpp"

namespace andon::store::markdown {

/// A task that the unit changed, with the file that is to be written.
struct PendingTask {
  NewFile file;
  core::Task after;
  FileNumber number = 0;
  bool is_handed_off = false;
};

/// The files that the running unit is to write.
class UnitFiles {
 public:
  /// The folder is not owned.
  explicit UnitFiles(BoardFolder& folder) : folder_(folder) {}
  void clear();
  bool is_empty() const { return pending_.empty() && !settings_; }

  std::map<core::TaskId, PendingTask> const& tasks() const { return pending_; }
  /// Null for a task that the unit did not change.
  PendingTask* task(core::TaskId id);
  PendingTask& put(core::TaskId id, PendingTask pending) {
    return pending_.insert_or_assign(id, std::move(pending)).first->second;
  }

  /// The settings to be written; null when the unit leaves them as they are.
  SettingsFile const* settings() const { return settings_ ? &*settings_ : nullptr; }
  /// The settings with the changes of this unit, after `begin_settings`.
  SettingsFile& settings_to_change() { return *settings_; }
  /// Begins to change the settings that were read.
  void begin_settings(ReadSettings read);
  /// Begins the settings of a new board.
  SettingsFile& begin_settings(SettingsFile fresh);
  /// The settings with no change of this unit except `next_id`. A board may be put more than once in a unit,
  /// and only its last state is written.
  SettingsFile& settings_to_write();

  /// Notes the lines that the event adds to the log of the board, when the unit changed its task.
  void note(core::Event const& event);
  std::string const& activity() const { return activity_; }

  /// True when the files that the unit is to write are still as they were read.
  bool is_still_so() const;
  /// Drops files that the unit leaves as they are, because only the store keeps the changed part of the task.
  void leave_out_same();
  /// The file of the settings, when they change, and after it those of the tasks, by id. Opens the directory
  /// of tasks that changed settings name.
  std::vector<NewFile> files();

 private:
  BoardFolder& folder_;
  std::map<core::TaskId, PendingTask> pending_;
  std::optional<SettingsFile> settings_;         ///< the settings to be written
  std::optional<SettingsFile> settings_before_;  ///< the settings before the unit; empty for a new board
  std::optional<Content> settings_base_;         ///< the content that was read; empty for a new board
  std::string activity_;
};

}  // namespace andon::store::markdown
