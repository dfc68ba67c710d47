#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/markdown/sync/sync_run.hpp"

namespace andon::store::markdown {

/// A file of a task as a run of `IndexSync` read it.
struct LoadedFile {
  FileRow row;                     ///< as it will be stored
  std::optional<core::Task> task;  ///< empty when the file is gone, unreadable or left out
  bool is_repaired = false;        ///< the run gave it another number or name
};

/// Reads a file. A file that is no task gets a problem in its row.
LoadedFile load_task_file(SyncRun& run, std::string const& name);
/// Replaces the numbers of tasks by ids of the store.
void number_tasks(SyncRun& run, std::vector<LoadedFile>& files);

/// The highest number that the index or the name of a file has.
FileNumber highest_in_names(SyncRun& run, std::vector<LoadedFile> const& files);
/// The highest number that the index, the name of a file or its content has. Call before `number_tasks`.
FileNumber highest_in_files(SyncRun& run, std::vector<LoadedFile> const& files);

}  // namespace andon::store::markdown
