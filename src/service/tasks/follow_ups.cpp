#include "service/tasks/follow_ups.hpp"

#include "core/tasks/claim.hpp"
#include "service/tasks/chain.hpp"
#include "service/tasks/promotion.hpp"
#include "service/tasks/review.hpp"
#include "service/tasks/unmerged_work.hpp"

namespace andon::service {
namespace {

bool satisfied(core::Task const& task) { return core::is_terminal(task.stage); }

void update_dependents(OperationContext& ctx, core::Task const& task) {
  for (auto const id : ctx.tx.dependents(task.id)) {
    auto dependent = ctx.tx.task(id);
    auto const* board = dependent ? ctx.tx.board(dependent->board) : nullptr;
    if (!board) continue;
    Change change{*dependent, *dependent, *board, {}, false, false};
    change.after.state.open_deps = open_dependencies(ctx, change.after);
    if (change.after.state.open_deps == dependent->state.open_deps) continue;
    promote_if_ready(ctx, change);
    auto engine = as_system(ctx);
    save(engine, change, core::EventKind::task_edited,
         {{"open_deps", std::to_string(change.after.state.open_deps)}});
  }
}

void update_parents(OperationContext& ctx, core::Task const& before, core::Task const& after) {
  if (before.parent != after.parent) {
    update_progress(ctx, before.parent);
    update_progress(ctx, after.parent);
  } else if (satisfied(before) != satisfied(after)) {
    update_progress(ctx, after.parent);
  }
}

bool leaves_limited_ready(Change const& change) {
  if (change.before.stage != core::Stage::ready || change.before.status == change.after.status) return false;
  auto const* column = core::find_column(change.board, change.before.status);
  return column && column->wip_limit > 0;
}

/// A parent that asked for it is done with its last sub-task, unless somebody holds it or it is to be
/// reviewed.
bool completes_itself(OperationContext const& ctx, core::Board const& board, core::Task const& parent,
                      core::Progress const& progress) {
  return parent.autocomplete && core::first_column(board, core::Stage::done) && progress.total > 0 &&
         progress.done == progress.total && !satisfied(parent) && !parent.blocked &&
         parent.stage != core::Stage::review && parent.review != core::ReviewRule::required &&
         !core::is_claimed(parent, ctx.now);
}

/// The consequences of a change for tasks other than its parents.
void follow_up_beside(OperationContext& ctx, Change const& change) {
  if (leaves_limited_ready(change)) fill_ready(ctx, change.board);
  bool const was_done = change.before.stage == core::Stage::done;
  bool const is_done = change.after.stage == core::Stage::done;
  if (is_done && !was_done) queue_landing(ctx, change.after);
  bool const waited = core::is_held_by_engine(change.before) && !core::is_held_by_engine(change.after);
  if ((was_done && !satisfied(change.after)) || (waited && !is_done)) withdraw_landing(ctx, change.after);
  if (is_done && !was_done) fire_chain(ctx, change.after, change.board);
  follow_review(ctx, change);
}

/// Moves the progress of a parent. Returns the parent of one that completed itself, whose progress moves
/// next: files may hold chains of any length, so nothing here calls itself.
std::optional<core::TaskId> advance(OperationContext& ctx, core::TaskId id) {
  auto const parent = ctx.tx.task(id);
  auto const* board = parent ? ctx.tx.board(parent->board) : nullptr;
  if (!board) return std::nullopt;
  Change change{*parent, *parent, *board, {}, false, false};
  auto const progress = ctx.tx.progress(id).value_or(core::Progress{});
  auto engine = as_system(ctx);
  if (!completes_itself(ctx, *board, *parent, progress)) {
    write(engine, change, core::EventKind::task_edited,
          {{"children_done", std::to_string(progress.done)}, {"children", std::to_string(progress.total)}});
    return std::nullopt;
  }
  place(change, core::Stage::done, ctx.now);
  write(engine, change, core::EventKind::task_completed, {{"reason", "its sub-tasks are done"}});
  update_dependents(engine, change.after);
  follow_up_beside(engine, change);
  return change.after.parent;
}

}  // namespace

void update_progress(OperationContext& ctx, std::optional<core::TaskId> id) {
  while (id) id = advance(ctx, *id);
}

std::int64_t open_dependencies(OperationContext& ctx, core::Task const& task) {
  std::int64_t open = 0;
  for (auto const id : task.depends_on) {
    auto const other = ctx.tx.task(id);
    if (other && !satisfied(*other)) ++open;
  }
  return open;
}

void follow_up(OperationContext& ctx, Change const& change) {
  if (satisfied(change.before) != satisfied(change.after)) update_dependents(ctx, change.after);
  update_parents(ctx, change.before, change.after);
  follow_up_beside(ctx, change);
}

}  // namespace andon::service
