#include "store/markdown/sync/dependency_counts.hpp"

#include <algorithm>
#include <utility>

#include "store/engine/unit/unit.hpp"

namespace andon::store::markdown {

using core::TaskId;

void DependencyCounts::note_read(std::vector<LoadedFile> const& files) {
  for (auto const& loaded : files)
    if (loaded.task) finished_[loaded.task->id] = core::is_terminal(loaded.task->stage);
  unreadable_ = unreadable(files);
}

/// The numbers of unreadable files. The content of such a file is unknown, so its task counts neither as done
/// nor as deleted.
std::set<TaskId> DependencyCounts::unreadable(std::vector<LoadedFile> const& files) {
  std::set<TaskId> out;
  if (run_.numbering.is_attached()) return out;  // an attached board keeps such tasks as they were
  for (auto const& [name, problem] : run_.index.problems())
    if (auto const number = number_in_name(name)) out.insert(as_id(*number));
  for (auto const& loaded : files)
    if (auto const number = number_in_name(loaded.row.name); number && !loaded.row.problem.empty())
      out.insert(as_id(*number));
  return out;
}

std::int64_t DependencyCounts::open_of(core::Task const& task) {
  return std::ranges::count_if(task.depends_on, [&](TaskId id) {
    if (auto const read = finished_.find(id); read != finished_.end()) return !read->second;
    auto const other = run_.known_task(id);
    return other ? !core::is_terminal(other->stage) : unreadable_.contains(id);
  });
}

void DependencyCounts::recount() {
  for (auto const id : changed_)
    for (auto const waiting : run_.tx.dependents(id)) {
      auto task = run_.tx.task(waiting);
      if (!task) continue;
      auto const open = open_of(*task);
      if (std::exchange(task->state.open_deps, open) != open) run_.tx.put(*task, false);
    }
}

}  // namespace andon::store::markdown
