#include "service/tasks/kernel/void_approval.hpp"

#include "service/tasks/kernel/transition.hpp"

namespace andon::service {

void void_approval(OperationContext const& ctx, Change& change) {
  auto& task = change.after;
  bool const before_start = core::is_backlog(task.stage) || core::is_ready(task.stage);
  if (acting_worker(ctx).empty() || !task.approved || !before_start) return;
  auto const& before = change.before;
  bool const same_text = before.title == task.title && !change.has_body && before.assignee == task.assignee &&
                         before.touches == task.touches && before.next_tasks == task.next_tasks &&
                         before.attachments == task.attachments;
  if (same_text) return;
  task.approved = false;
  if (core::backlog_column(change.board)) place(change, core::Stage::backlog, ctx.now);
}

}  // namespace andon::service
