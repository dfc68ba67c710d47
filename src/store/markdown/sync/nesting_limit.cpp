#include "store/markdown/sync/nesting_limit.hpp"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "store/engine/unit/unit.hpp"
#include "store/markdown/yaml/nesting.hpp"

namespace andon::store::markdown {
namespace {

using core::TaskId;

/// The parent that each read file names.
using ParentsRead = std::unordered_map<TaskId, std::optional<TaskId>>;

ParentsRead parents_in(std::vector<LoadedFile> const& files) {
  ParentsRead out;
  for (auto const& loaded : files)
    if (loaded.task) out.emplace(loaded.task->id, loaded.task->parent);
  return out;
}

/// The tasks of files that were left out earlier as nested too deep.
std::set<TaskId> too_deep_already(SyncRun& run) {
  std::set<TaskId> out;
  for (auto const& [name, problem] : run.index.problems())
    if (auto const number = number_in_name(name); number && problem.ends_with(kTooDeep))
      if (auto const id = run.id_of(*number)) out.insert(*id);
  return out;
}

}  // namespace

void leave_out_too_deep(SyncRun& run, std::vector<LoadedFile>& files) {
  auto const parents = parents_in(files);
  auto const left_out = too_deep_already(run);
  auto const parent_of = [&](TaskId id) -> std::optional<TaskId> {
    if (auto const read = parents.find(id); read != parents.end()) return read->second;
    auto const known = run.known_task(id);
    return known ? known->parent : std::nullopt;
  };
  for (auto& loaded : files) {
    if (!loaded.task || !loaded.task->parent) continue;
    auto const below = run.is_fresh ? 0 : run.tx.levels_below(loaded.task->id, core::kMostAbove);
    auto const parent = *loaded.task->parent;
    bool const hangs_below = left_out.contains(parent) && !parents.contains(parent);
    if (!hangs_below && !is_nested_too_deep(loaded.task->id, below, parent_of)) continue;
    loaded.task.reset();
    loaded.row.problem = loaded.row.name + ": " + std::string{kTooDeep};
  }
}

}  // namespace andon::store::markdown
