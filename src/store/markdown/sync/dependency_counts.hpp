#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "store/markdown/sync/loaded_file.hpp"

namespace andon::store::markdown {

/// Counts the open dependencies of tasks while a run takes files into the index. Files are taken one after
/// the other, so the states of those that were read count before they are in the store.
class DependencyCounts {
 public:
  /// The run is not owned.
  explicit DependencyCounts(SyncRun& run) : run_(run) {}

  /// Call when it is known which of the files are tasks, before the first of them is taken.
  void note_read(std::vector<LoadedFile> const& files);
  bool is_read(core::TaskId id) const { return finished_.contains(id); }
  std::int64_t open_of(core::Task const& task);

  /// Notes a task that was finished, reopened, added or dropped.
  void note_change(core::TaskId id) { changed_.push_back(id); }
  /// Counts again for the tasks that wait for a changed one.
  void recount();

 private:
  std::set<core::TaskId> unreadable(std::vector<LoadedFile> const& files);

  SyncRun& run_;
  std::unordered_map<core::TaskId, bool> finished_;  ///< for each task that was read
  std::set<core::TaskId> unreadable_;                ///< numbers of files that cannot be read as tasks
  std::vector<core::TaskId> changed_;
};

}  // namespace andon::store::markdown
