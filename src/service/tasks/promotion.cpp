#include "service/tasks/promotion.hpp"

#include "core/boards/wip.hpp"
#include "core/tasks/claim.hpp"

namespace andon::service {
namespace {

using core::Stage;

/// The column an approved task would enter now; null while it has to wait.
core::Column const* way_out(OperationContext& ctx, core::Board const& board, core::Task const& task) {
  if (task.stage != Stage::backlog || !task.approved || task.blocked || core::is_claimed(task, ctx.now) ||
      must_wait(ctx, board, task))
    return nullptr;
  auto const* ready = core::first_column(board, Stage::ready);
  if (!ready || !core::check_wip(board, ctx.tx.load(board.id), *ready, task, &task)) return nullptr;
  return ready;
}

}  // namespace

bool must_wait(OperationContext& ctx, core::Board const& board, core::Task const& task) {
  if (board.workflow != core::Workflow::strict) return false;
  if (task.state.open_deps > 0) return true;
  if (!board.require_brief || !task.body.empty()) return false;
  return ctx.tx.body(task.id).value_or("").empty();
}

void promote_if_ready(OperationContext& ctx, Change& change) {
  if (auto const* ready = way_out(ctx, change.board, change.after)) place(change, *ready, ctx.now);
}

bool fill_ready(OperationContext& ctx, core::Board const& board) {
  auto const* ready = core::first_column(board, Stage::ready);
  auto const has_room = [&] { return ready && !core::is_full(*ready, ctx.tx.load(board.id)); };
  for (std::int64_t filled = 0; has_room(); ++filled) {
    if (filled == store::kMostAtOnce) return true;
    std::optional<core::Task> next;
    ctx.tx.waiting_for_room(board.id, [&](core::Task const& task) {
      if (way_out(ctx, board, task)) next = task;
      return next.has_value();
    });
    if (!next) return false;
    Change change{*next, *next, board, {}, false, false};
    place(change, *ready, ctx.now);
    save(ctx, change, core::EventKind::task_moved, {{"reason", "there is room in " + ready->name}});
  }
  return false;
}

}  // namespace andon::service
