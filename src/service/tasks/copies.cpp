#include "service/tasks/copies.hpp"

#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

bool is_open(std::optional<core::Task> const& task) { return task && !core::is_terminal(task->stage); }

SuspectedCopies suspected_copies(OperationContext& ctx, core::BoardId board) {
  SuspectedCopies out;
  for (auto const& pair : copy_pairs(ctx, board)) {
    auto const task = ctx.tx.task(pair.task), other = ctx.tx.task(pair.other);
    if (is_open(task) && is_open(other))
      out.items.push_back({{pair}, task->title, task->status, other->title, other->status});
  }
  return out;
}

}  // namespace

core::Result<SuspectedCopies> list_copies(OperationContext& ctx, ListCopiesRequest const& r) {
  ANDON_TRY(auto const* board, find_board(ctx, r.board));
  return suspected_copies(ctx, board->id);
}

core::Result<SuspectedCopies> dismiss_copy(OperationContext& ctx, DismissCopyRequest const& r) {
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  ANDON_TRY(auto const other, resolve(ctx, r.other, "other"));
  ANDON_TRY(auto const* board, board_of(ctx, task));
  if (!drop_pair(ctx, board->id, task.id, other))
    return core::refuse(core::Code::kNotFound,
                        "these tasks are no suspected copies; `andon copies` lists those that are", "other");
  return suspected_copies(ctx, board->id);
}

}  // namespace andon::service
