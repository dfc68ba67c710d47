#include "service/tasks/reactions/parents.hpp"

#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

/// A parent that asked for it is done with its last sub-task, unless somebody holds it or it is to be
/// reviewed.
bool completes_itself(OperationContext const& ctx, Change const& change, core::Progress const& progress) {
  auto const& parent = change.before;
  return parent.autocomplete && core::done_column(change.board) && progress.total > 0 &&
         progress.done == progress.total && !core::is_terminal(parent.stage) && !parent.blocked &&
         !core::is_in_review(parent.stage) && parent.review != core::ReviewRule::required &&
         !core::is_claimed(parent, ctx.now);
}

}  // namespace

void order_progress(OperationContext& /*ctx*/, Change const& change, Orders& orders) {
  auto const add = [&](std::optional<core::TaskId> parent) {
    if (parent) orders.push_back({Reaction::update_parent, *parent});
  };
  bool const has_moved = change.before.parent != change.after.parent;
  if (has_moved) add(change.before.parent);
  if (has_moved || core::is_terminal(change.before.stage) != core::is_terminal(change.after.stage))
    add(change.after.parent);
}

Step update_parent(OperationContext& ctx, Order const& order) {
  auto change = load_change(ctx, order.task);
  if (!change) return {};
  auto const progress = ctx.tx.progress(order.task).value_or(core::Progress{});
  if (completes_itself(ctx, *change, progress)) {
    place(*change, core::Stage::done, ctx.now);
    write(ctx, *change, core::EventKind::task_completed, {{"reason", "its sub-tasks are done"}});
  } else {
    write(ctx, *change, core::EventKind::task_edited,
          {{"children_done", std::to_string(progress.done)}, {"children", std::to_string(progress.total)}});
  }
  return {std::move(change)};
}

}  // namespace andon::service
