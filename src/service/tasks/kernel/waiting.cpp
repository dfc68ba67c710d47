#include "service/tasks/kernel/waiting.hpp"

#include "core/tasks/apply.hpp"
#include "core/tasks/claim.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Stage;

/// The column an approved task would enter now; null while it has to wait.
core::Column const* way_out(OperationContext& ctx, core::Board const& board, core::Task const& task) {
  if (!core::is_backlog(task.stage) || !task.approved || task.blocked || core::is_claimed(task, ctx.now) ||
      must_wait(ctx, board, task))
    return nullptr;
  auto const* ready = core::ready_column(board);
  if (!ready || !core::check_wip(board, ctx.tx.load(board.id), *ready, task, &task)) return nullptr;
  return ready;
}

}  // namespace

bool lacks_brief(OperationContext& ctx, core::Board const& board, core::Task const& task) {
  return board.require_brief && task.body.empty() && ctx.tx.body(task.id).value_or("").empty();
}

bool must_wait(OperationContext& ctx, core::Board const& board, core::Task const& task) {
  return core::must_wait(board, task, lacks_brief(ctx, board, task));
}

void promote_if_ready(OperationContext& ctx, Change& change) {
  if (auto const* ready = way_out(ctx, change.board, change.after)) place(change, *ready, ctx.now);
}

std::optional<Change> next_for_ready(OperationContext& ctx, core::Board const& board) {
  auto const* ready = core::ready_column(board);
  if (!ready || core::is_full(*ready, ctx.tx.load(board.id))) return std::nullopt;
  std::optional<core::Task> next;
  ctx.tx.waiting_for_room(board.id, [&](core::Task const& task) {
    if (way_out(ctx, board, task)) next = task;
    return next.has_value();
  });
  if (!next) return std::nullopt;
  Change change{*std::move(next), board};
  place(change, *ready, ctx.now);
  return change;
}

}  // namespace andon::service
