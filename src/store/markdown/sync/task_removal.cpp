#include "store/markdown/sync/task_removal.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "store/engine/unit/unit.hpp"
#include "store/markdown/sync/foreign_edit.hpp"

namespace andon::store::markdown {

bool TaskRemoval::handle_deleted(std::vector<FileRow> const& gone, std::vector<LoadedFile> const& files) {
  std::vector<std::string> missed;
  for (auto const& row : gone) {
    bool const is_elsewhere = std::ranges::any_of(
        files, [&](auto const& loaded) { return loaded.task && loaded.task->id == row.task; });
    if (row.task && !is_elsewhere && !may_delete(row))
      missed.push_back(row.name);
    else
      forget(row, is_elsewhere);
  }
  if (run_.postponed) run_.postponed->missing.keep_only(missed);
  return !missed.empty();
}

/// True when the task of a missing file may be dropped. A task with a live run stays until the run has ended,
/// because the run's report needs the task.
bool TaskRemoval::may_delete(FileRow const& row) {
  if (!run_.postponed) return true;
  bool const is_over = run_.postponed->missing.is_over(row.name, run_.now);
  auto const task = run_.tx.task(*row.task);
  auto const run = task && task->run ? run_.tx.run(*task->run) : std::nullopt;
  return is_over && (!run || run->state == core::RunState::ended);
}

/// Removes a file from the index, and its task when no other file has it.
void TaskRemoval::forget(FileRow const& row, bool is_elsewhere) {
  run_.index.remove(row.name);
  if (row.task && !is_elsewhere) drop(*row.task);
  if (row.task) return;
  auto const number = number_in_name(row.name);
  auto const id = number ? run_.id_of(*number) : std::nullopt;
  if (id) dependencies_.note_change(*id);
}

void TaskRemoval::drop(core::TaskId id) {
  auto const task = run_.tx.task(id);
  if (!task) return;
  run_.index.remember_epoch(id, core::next(task->epoch));
  dependencies_.note_change(id);
  if (run_.numbering.is_attached()) run_.tx.append(foreign_removal(*task, run_.now));
  run_.tx.erase(id);
}

void TaskRemoval::drop_unnamed(std::vector<core::TaskId> const& renumbered) {
  for (auto const id : renumbered)
    if (!run_.index.of_task(id)) drop(id);
  if (run_.numbering.is_attached() || std::exchange(run_.state.swept, 1) == 1) return;
  auto const ids = run_.index.without_file();
  for (auto const id : ids) drop(id);
}

}  // namespace andon::store::markdown
