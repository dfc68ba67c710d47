#include "store/markdown/sync/task_intake.hpp"

#include <algorithm>
#include <utility>

#include "core/tasks/work_state.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/sync/foreign_edit.hpp"
#include "store/markdown/sync/highest_epoch.hpp"
#include "store/markdown/sync/nesting_limit.hpp"
#include "store/markdown/sync/task_file_state.hpp"

namespace andon::store::markdown {

using core::Task;

TaskIntake::TaskIntake(SyncRun& run, DependencyCounts& dependencies, TaskRemoval& removal)
    : run_(run),
      dependencies_(dependencies),
      removal_(removal),
      past_epochs_(run.is_filling && run.folder.is_to_write() ? highest_epoch(run.folder) : core::Epoch{}) {}

void TaskIntake::take(std::vector<LoadedFile>& files) {
  leave_out_too_deep(run_, files);
  dependencies_.note_read(files);
  for (auto& loaded : files) take_file(loaded);
}

void TaskIntake::take_file(LoadedFile& loaded) {
  auto& row = loaded.row;
  if (row.stamp == Stamp{} && !loaded.task && row.problem.empty()) return;
  auto const before = run_.known_file(row.name);
  bool const is_unread = before && before->task && !dependencies_.is_read(*before->task);
  if (is_unread && run_.postponed && !loaded.task)
    row.task = before->task;  // the task stays as it was last read, and takes no writes
  else if (is_unread)
    removal_.drop(*before->task);
  if (loaded.task) take_task(loaded);
  run_.index.put(row);
}

void TaskIntake::take_task(LoadedFile& loaded) {
  auto task = *std::move(loaded.task);
  auto const known = run_.known_task(task.id);
  task = known ? merged(std::move(task), *known) : first_seen(std::move(task));
  if (run_.numbering.is_attached() && !run_.is_filling)
    for (auto& event : foreign_edit(known, task, run_.now)) run_.tx.append(std::move(event));
  task.state.open_deps = dependencies_.open_of(task);
  loaded.row.task = task.id;
  loaded.row.settled = task.stage == core::Stage::archived;
  loaded.row.claim_end = claim_end_of(task);
  put(std::move(task), known);
}

void TaskIntake::put(Task task, std::optional<Task> const& known) {
  if (!run_.is_fresh && (!known || core::is_terminal(known->stage) != core::is_terminal(task.stage)))
    dependencies_.note_change(task.id);
  if (known)
    run_.tx.put(task, true);
  else
    run_.tx.add(std::move(task));
}

/// The task of the file with the data that only the index has, as far as the claim and the column are
/// unchanged.
Task TaskIntake::merged(Task task, Task const& known) {
  bool const same_claim = task.claimed_by == known.claimed_by && task.claimed_at == known.claimed_at;
  if (same_claim) {
    task.claim_expires = known.claim_expires;
    task.state.supervised = known.state.supervised;
    task.state.report = known.state.report;
    task.epoch = std::max(task.epoch, known.epoch);
  } else {
    task.epoch = std::max(task.epoch, core::next(known.epoch));
  }
  if (task.flag == known.flag) task.state.remark = known.state.remark;
  if (task.status == known.status) task.state.entered = known.state.entered;
  if (task.created_by.empty()) task.created_by = known.created_by;
  task.state.stopping = known.state.stopping;
  task.state.notes = known.state.notes;
  task.plan_state = known.plan_state;
  task.run = known.run;
  run_.numbering.keep_foreign(run_.tx.files(), task, known);
  if (run_.numbering.is_attached()) keep_server_part(task, known);
  return task;
}

/// Keeps origin, author, approval and the wish for a plan from the server. Anybody may write files, so a file
/// of an attached board decides neither where a task came from nor whether an agent may do it.
void TaskIntake::keep_server_part(Task& task, Task const& known) {
  task.source = known.source;
  task.created_by = known.created_by;
  if (known.plan == core::PlanRule::required) task.plan = known.plan;
  task.approved = is_still_approved(run_.board, known, run_.tx.body(known.id).value_or(""), task);
}

Task TaskIntake::first_seen(Task task) {
  if (run_.numbering.is_attached()) {
    task.source = to_text(core::Source::file);
    task.approved = task.approved && core::trusts_files(run_.board);
  }
  // The run of a report is not known any more.
  core::read_flag(task, task.flag);
  core::end_report(task);
  if (run_.is_filling && past_epochs_ > 0) task.epoch = core::next(std::max(task.epoch, past_epochs_));
  if (!run_.is_fresh) task.epoch = std::max(task.epoch, run_.index.past_epoch(task.id));
  return task;
}

}  // namespace andon::store::markdown
