#include "service/tasks/edit.hpp"

#include <algorithm>

#include "core/boards/wip.hpp"
#include "core/tasks/plan_rule.hpp"
#include "core/tasks/work_state.hpp"
#include "core/text/names.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/copy_check.hpp"
#include "service/tasks/edit_acts.hpp"
#include "service/tasks/kernel/dependencies.hpp"
#include "service/tasks/kernel/kept_plan.hpp"
#include "service/tasks/kernel/stop_order.hpp"
#include "service/tasks/kernel/task_rules.hpp"
#include "service/tasks/kernel/task_template.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "service/tasks/kernel/void_approval.hpp"
#include "service/tasks/kernel/waiting.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/warnings.hpp"
#include "service/with_body.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

/// Changes the tags. Tags from a file that would be refused here stay until somebody changes them.
Result<void> edit_tags(EditTaskRequest const& r, core::Task& task) {
  auto tags = r.tags.value_or(task.tags);
  tags.insert(tags.end(), r.add_tags.begin(), r.add_tags.end());
  std::erase_if(
      tags, [&](auto const& tag) { return std::ranges::find(r.remove_tags, tag) != r.remove_tags.end(); });
  if (tags == task.tags) return {};
  ANDON_SET(task.tags, check_words(std::move(tags), "tags", 50));
  return {};
}

Result<void> edit_words(EditTaskRequest const& r, Change& change) {
  auto& task = change.after;
  if (r.title) ANDON_SET(task.title, check_title(*r.title));
  if (r.priority) ANDON_SET(task.priority, known_priority(change.board, r.priority->text));
  ANDON_CHECK(edit_tags(r, task));
  if (r.touches) ANDON_SET(task.touches, check_words(*r.touches, "touches", 50));
  if (r.assignee) ANDON_SET(task.assignee, check_line(*r.assignee, "assignee"));
  if (r.role) ANDON_SET(task.role, check_role(*r.role));
  for (auto const& each : core::kPlainFields)
    if (r.*each.change) ANDON_SET(task.*each.text, check_line(*(r.*each.change), each.name, each.most_bytes));
  return {};
}

Result<void> edit_body(OperationContext& ctx, EditTaskRequest const& r, Change& change) {
  if (r.body && r.append_body)
    return core::refuse(Code::kStatusConflict, "cannot use body and append_body together", "append_body");
  if (!r.body && !r.append_body) return {};
  if (r.append_body) return append_to_body(ctx, *r.append_body, change);
  change.body = *r.body;
  change.has_body = true;
  return check_body(change.body);
}

/// An agent may not change the fields that a person relies on when the work comes back.
Result<void> check_may_edit(OperationContext const& ctx, EditTaskRequest const& r, core::Task const& task) {
  if (!is_run(ctx)) return {};
  auto const forbidden = [](std::string field, std::string what) {
    return core::refuse(Code::kForbidden, "a run may not " + what + " its own task", std::move(field));
  };
  if (r.review && *r.review != task.review && *r.review != core::ReviewRule::required)
    return forbidden("review", "loosen the review of");
  if (r.checks && *r.checks != task.checks) return forbidden("checks", "change the checks of");
  if (r.role && *r.role != task.role) return forbidden("role", "change the role of");
  if (r.next_tasks && *r.next_tasks != task.next_tasks) return forbidden("next_tasks", "change what follows");
  if (r.max_attempts && *r.max_attempts != task.max_attempts)
    return forbidden("max_attempts", "change the attempts of");
  if (r.touches && *r.touches != task.touches && !task.touches.empty())
    return forbidden("touches", "change what was said of the files of");
  if (r.started || r.completed) return forbidden(r.started ? "started" : "completed", "change the times of");
  return {};
}

Result<void> edit_rules(EditTaskRequest const& r, Change& change) {
  auto& task = change.after;
  if (r.due) task.due = *r.due;
  if (r.not_before) task.not_before = *r.not_before;
  if (r.review) task.review = *r.review;
  if (r.autocomplete) task.autocomplete = *r.autocomplete;
  if (r.max_attempts) {
    if (*r.max_attempts < 1 || *r.max_attempts > 100)
      return core::refuse(Code::kInvalidInput, "\"max_attempts\" must be from 1 to 100", "max_attempts");
    task.max_attempts = *r.max_attempts;
  }
  if (r.next_tasks) {
    ANDON_CHECK(check_chain(change.board, *r.next_tasks));
    task.next_tasks = *r.next_tasks;
  }
  if (r.checks) {
    ANDON_CHECK(check_check_names(change.board, *r.checks));
    task.checks = *r.checks;
  }
  return {};
}

/// Without the wish for a plan, one that nobody has accepted is no longer needed.
Result<void> edit_plan(OperationContext& ctx, EditTaskRequest const& r, core::Task& task) {
  if (!r.plan) return {};
  ANDON_CHECK(check_may_ask_for_plan(ctx));
  task.plan = *r.plan;
  if (*r.plan == core::PlanRule::required || task.plan_state == core::PlanState::accepted) return {};
  if (core::is_in_review(task.stage) && core::has_open_plan(task))
    return core::refuse(Code::kStatusConflict,
                        "its plan waits for a verdict; accept the plan, or send it back with a reason",
                        "plan");
  task.plan_state = core::PlanState::none;
  return {};
}

/// Explicit timestamps override those that the move to another column sets.
void edit_times(EditTaskRequest const& r, core::Task& task) {
  if (r.started) task.started = *r.started;
  if (r.completed) task.completed = *r.completed;
}

bool same_times(EditTaskRequest const& r, core::Task task) {
  auto const before = task;
  edit_times(r, task);
  return task == before;
}

Result<void> edit_dependencies(OperationContext& ctx, EditTaskRequest const& r, core::Task& task) {
  if (!r.depends_on && r.add_deps.empty() && r.remove_deps.empty()) return {};
  std::vector<TaskRef> refs;
  if (r.depends_on)
    refs = *r.depends_on;
  else
    for (auto const id : task.depends_on)
      if (ctx.tx.task(id)) refs.push_back({std::to_string(id)});
  refs.insert(refs.end(), r.add_deps.begin(), r.add_deps.end());
  ANDON_TRY(auto wanted, check_dependencies(ctx, task.id, refs));
  for (auto const& ref : r.remove_deps) {
    auto const id = resolve(ctx, ref, "remove_deps");
    if (id) std::erase(wanted, *id);
    // One that is no more is not among the wanted.
    if (!id && id.error().code != Code::kTaskNotFound) return std::unexpected(id.error());
  }
  task.depends_on = std::move(wanted);
  task.state.open_deps = count_open_dependencies(ctx, task);
  return {};
}

Result<void> edit_parent(OperationContext& ctx, EditTaskRequest const& r, core::Task& task) {
  if (!r.parent) return {};
  task.parent.reset();
  if (*r.parent) ANDON_SET(task.parent, check_parent(ctx, task.id, **r.parent));
  return {};
}

/// A change of class alone must keep to the limit of the new class; with a move, entering the column checks
/// it.
Result<void> edit_class(OperationContext& ctx, EditTaskRequest const& r, Change& change, bool moves) {
  if (!r.class_) return {};
  ANDON_TRY(change.after.class_, known_class(change.board, *r.class_));
  if (moves) return {};
  return core::check_class_wip(change.board, ctx.tx.load(change.board.id), change.after, &change.before);
}

/// A run that moves its task to its end reports so; true when this move is such a report.
Result<bool> reported_move(OperationContext& ctx, Change& change, std::string const& status) {
  ANDON_TRY(auto const* column, known_column(change.board, status));
  auto const report = report_of_move(column->stage, {});
  if (!report) return false;
  ANDON_CHECK(check_allowed(ctx, change, *column));
  record_agent_report(ctx, change.before, *report);
  core::note_report(change.after);
  return true;
}

Result<core::Task> edit(OperationContext& ctx, EditTaskRequest const& r) {
  if (r.status) ANDON_CHECK(known_status(ctx, r.id, *r.status));
  // Everybody may release a claim, and may then change the task that is no longer claimed.
  ANDON_TRY(auto change, r.release && !is_run(ctx) ? open(ctx, r.id) : open_claimed(ctx, r.id, proof_of(r)));
  ANDON_CHECK(check_heeded(ctx, r, change));
  ANDON_CHECK(check_acts(ctx, r));
  ANDON_CHECK(check_may_edit(ctx, r, change.before));
  ANDON_CHECK(edit_words(r, change));
  ANDON_CHECK(edit_body(ctx, r, change));
  ANDON_CHECK(edit_rules(r, change));
  ANDON_CHECK(edit_plan(ctx, r, change.after));
  ANDON_CHECK(edit_dependencies(ctx, r, change.after));
  bool const moves = r.status && !core::same_name(*r.status, change.before.status);
  ANDON_CHECK(edit_class(ctx, r, change, moves));
  ANDON_CHECK(edit_parent(ctx, r, change.after));
  if (change.after == change.before && !change.has_body && !moves && !acts_on(r, change.before) &&
      same_times(r, change.before))
    return core::refuse(Code::kNoChanges, "no changes: give at least one field a new value");
  if (change.after.assignee != change.before.assignee && !moves)
    ANDON_CHECK(stop_first(ctx, change, {.verb = core::Verb::release, .reason = "the assignee changed"}));
  bool reported = false;
  if (moves && is_run(ctx)) {
    ANDON_SET(reported, reported_move(ctx, change, *r.status));
  } else if (moves) {
    ANDON_TRY(auto const* column, known_column(change.board, *r.status));
    ANDON_TRY(auto const stopping, stop_first(ctx, change, {core::Verb::move, column->name}));
    if (stopping) return save_stopping(ctx, change, core::Verb::move);
  }
  if (moves && !reported) ANDON_CHECK(check_move(ctx, change, *r.status, proof_of(r)));
  ANDON_TRY(auto const stopping, apply_acts(ctx, r, change));
  edit_times(r, change.after);
  void_approval(ctx, change);
  if (change.has_body) change.after.body = change.body;
  if (stopping) return save_stopping(ctx, change, *stopping);
  promote_if_ready(ctx, change);
  auto task =
      save(ctx, change, moves && !reported ? core::EventKind::task_moved : core::EventKind::task_edited,
           {{"title", change.after.title}});
  tell_acts(ctx, change);
  if (task.autocomplete && !change.before.autocomplete) {
    update_progress(ctx, task.id);
    ANDON_SET(task, find_task(ctx, r.id));
    task.children = ctx.tx.progress(task.id);
  }
  return with_warnings(ctx, &change.before, std::move(task));
}

}  // namespace

Result<void> append_to_body(OperationContext& ctx, std::string const& text, Change& change) {
  if (text.empty()) return {};
  change.body = ctx.tx.body(change.after.id).value_or("");
  while (change.body.ends_with('\n')) change.body.pop_back();
  change.body += (change.body.empty() ? "" : "\n\n") + text;
  change.has_body = true;
  return check_body(change.body);
}

Result<core::Task> edit_task(OperationContext& ctx, EditTaskRequest const& r) {
  ANDON_TRY(auto task, with_body(ctx, edit(ctx, r)));
  bool const has_new_text = r.title || r.body || r.append_body;
  if (!has_new_text || is_kept_from_copies(ctx)) return task;
  ANDON_TRY(auto const* board, board_of(ctx, task));
  auto const standing = find_standing_task(ctx, {.board = board->id, .task = task});
  return standing ? with_suspicion(ctx, std::move(task), *standing) : std::move(task);
}

}  // namespace andon::service
