#include "service/tasks/copy.hpp"

#include "service/tasks/create.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

CreateTaskRequest request_for(core::Task const& task) {
  CreateTaskRequest out;
  static_cast<core::PlainTexts&>(out) = task;
  out.title = task.title;
  out.body = task.body;
  out.board = task.board;
  out.priority = PriorityName{task.priority};
  out.assignee = task.assignee;
  out.role = task.role;
  out.tags = task.tags;
  out.due = task.due;
  if (task.parent) out.parent = TaskRef{std::to_string(*task.parent)};
  out.class_ = task.class_;
  out.touches = task.touches;
  out.next_tasks = task.next_tasks;
  out.checks = task.checks;
  out.review = task.review;
  if (task.plan == core::PlanRule::required) out.plan = task.plan;
  out.max_attempts = task.max_attempts;
  out.autocomplete = task.autocomplete;
  return out;
}

}  // namespace

core::Result<core::Task> copy_task(OperationContext& ctx, CopyTaskRequest const& r) {
  ANDON_TRY(auto task, find_task(ctx, r.id));
  task.body = ctx.tx.body(task.id).value_or("");
  auto request = request_for(task);
  if (!r.title.empty()) request.title = r.title;
  request.status = r.status;
  if (!r.to_board.empty()) {
    ANDON_TRY(auto const* board, find_board(ctx, r.to_board));
    request.board = board->name;
    if (board->name != task.board) request.parent.reset();
  }
  return create_past_task(ctx, request, {});
}

}  // namespace andon::service
