#pragma once

#include <vector>

#include "store/markdown/sync/dependency_counts.hpp"

namespace andon::store::markdown {

/// Drops tasks that no file contains any more.
class TaskRemoval {
 public:
  /// Neither the run nor the counts are owned.
  TaskRemoval(SyncRun& run, DependencyCounts& dependencies) : run_(run), dependencies_(dependencies) {}

  /// Drops the tasks of the files that are gone, unless one of the read files has the task now. True when
  /// files are missing that may come back.
  bool handle_deleted(std::vector<FileRow> const& gone, std::vector<LoadedFile> const& files);
  /// Drops the former tasks of files that have another number now and, once per index, all tasks without a
  /// file.
  void drop_unnamed(std::vector<core::TaskId> const& renumbered);
  void drop(core::TaskId id);

 private:
  bool may_delete(FileRow const& row);
  void forget(FileRow const& row, bool is_elsewhere);

  SyncRun& run_;
  DependencyCounts& dependencies_;
};

}  // namespace andon::store::markdown
