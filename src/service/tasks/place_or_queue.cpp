#include "service/tasks/place_or_queue.hpp"

#include "core/boards/wip.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Stage;

bool finds_it_full(OperationContext& ctx, Change const& change, core::Column const& column) {
  if (column.wip_limit <= 0) return false;
  auto const room = check_room(ctx, change, column);
  return !room && room.error().code == Code::kWipLimitExceeded;
}

void tell_exceeded(OperationContext& ctx, Change const& change, core::Column const& column) {
  core::Event event;
  event.kind = core::EventKind::limit_reached;
  event.board = change.after.board;
  event.task = change.after.id;
  append_event(ctx, std::move(event),
               {{"limit", "wip"}, {"status", column.name}, {"most", std::to_string(column.wip_limit)}});
}

}  // namespace

Result<void> check_room(OperationContext& ctx, Change const& change, core::Column const& column) {
  return core::check_wip(change.board, ctx.tx.load(change.board.id), column, change.after, &change.before);
}

Result<void> check_room(OperationContext& ctx, Change const& change) {
  auto const* column = core::find_column(change.board, change.after.status);
  return column ? check_room(ctx, change, *column) : Result<void>{};
}

Result<void> check_room(OperationContext& ctx, Change const& change, Stage stage) {
  auto const* column = core::landing_column(change.board, stage);
  return column ? check_room(ctx, change, *column) : Result<void>{};
}

void place_or_queue(OperationContext& ctx, Change& change, core::Column const& column) {
  if (!finds_it_full(ctx, change, column)) return place(change, column, ctx.now);
  auto const* backlog = core::first_column(change.board, Stage::backlog);
  bool const may_wait = core::is_legal(change.before.stage, Stage::backlog);
  if (column.stage == Stage::ready && backlog && may_wait) {
    change.after.approved = true;
    return place(change, *backlog, ctx.now);
  }
  tell_exceeded(ctx, change, column);
  place(change, column, ctx.now);
}

void place_or_queue(OperationContext& ctx, Change& change, Stage stage) {
  if (auto const* column = core::landing_column(change.board, stage)) place_or_queue(ctx, change, *column);
}

}  // namespace andon::service
