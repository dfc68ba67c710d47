#pragma once

#include <vector>

#include "store/markdown/sync/task_removal.hpp"

namespace andon::store::markdown {

/// Puts the tasks of files that were read, merged with the data that only the index has.
class TaskIntake {
 public:
  /// Nothing is owned.
  TaskIntake(SyncRun& run, DependencyCounts& dependencies, TaskRemoval& removal);

  /// Takes the tasks, whose ids are those of the store, out of the files. Leaves out files that are nested
  /// too deep. Attached boards get an event for each change.
  void take(std::vector<LoadedFile>& files);

 private:
  void take_file(LoadedFile& loaded);
  void take_task(LoadedFile& loaded);
  void put(core::Task task, std::optional<core::Task> const& known);
  core::Task merged(core::Task task, core::Task const& known);
  void keep_server_part(core::Task& task, core::Task const& known);
  core::Task first_seen(core::Task task);

  SyncRun& run_;
  DependencyCounts& dependencies_;
  TaskRemoval& removal_;
  core::Epoch const past_epochs_;  ///< for an index that is made anew: the highest epoch ever given
};

}  // namespace andon::store::markdown
