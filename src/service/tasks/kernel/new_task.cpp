#include "service/tasks/kernel/new_task.hpp"

#include <algorithm>

#include "core/boards/wip.hpp"
#include "service/event_log.hpp"
#include "service/tasks/kernel/task_rules.hpp"
#include "service/tasks/kernel/waiting.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Stage;

/// Times from elsewhere cannot lie ahead of the present one.
void remember(core::Task& task, ImportedTimestamps const& past, core::Instant now) {
  if (past.started && !core::is_backlog(task.stage)) task.started = std::min(*past.started, now);
  if (past.completed && task.completed) task.completed = std::min(*past.completed, now);
  auto const known_since = std::min({now, task.started.value_or(now), task.completed.value_or(now)});
  task.created = std::min(past.created.value_or(known_since), now);
  if (past.blocked.empty() || core::is_terminal(task.stage)) return;
  task.blocked = true;
  task.block_reason = past.blocked;
}

}  // namespace

void put_into(core::Task& task, core::Column const& column, core::Instant now) {
  task.status = column.name;
  task.stage = column.stage;
  if (core::is_done(column.stage)) task.completed = now;
  if (column.stage != Stage::blocked) return;
  task.blocked = true;
  task.block_reason = core::kNoReason;
}

core::Task store_task(OperationContext& ctx, core::Task task, ImportedTimestamps const& past) {
  task.updated = task.state.entered = ctx.now;
  remember(task, past, ctx.now);
  if (task.created_by.empty()) task.created_by = core::to_text(ctx.caller.actor);
  auto body = std::move(task.body);
  task.body = body;
  task = ctx.tx.add(std::move(task));
  core::Event event;
  event.kind = core::EventKind::task_created;
  event.board = task.board;
  event.task = task.id;
  event.to = task.status;
  append_event(ctx, std::move(event), {{"title", task.title}, {"source", task.source}});
  task.body = std::move(body);
  return task;
}

core::Task store_ready_task(OperationContext& ctx, core::Board const& board, core::Task task,
                            std::string const& status) {
  if (task.parent) task.parent = parent_with_room(ctx, *task.parent);
  task.priority = known_priority(board, task.priority).value_or(board.default_priority);
  task.class_ = known_class(board, task.class_.empty() ? board.default_class : task.class_)
                    .value_or(board.default_class);
  auto const* ready = core::ready_column(board);
  auto const* backlog = core::backlog_column(board);
  auto const* wanted = status.empty() ? ready : core::find_place(board, status);
  if (!wanted) wanted = ready ? ready : &board.columns.front();
  put_into(task, *wanted, ctx.now);
  bool const waits = core::is_ready(wanted->stage) && must_wait(ctx, board, task);
  bool const no_room = !core::check_wip(board, ctx.tx.load(board.id), *wanted, task, nullptr);
  if (backlog && (waits || no_room)) put_into(task, *backlog, ctx.now);
  return store_task(ctx, std::move(task));
}

Change added(core::Task const& task, core::Board const& board) {
  Change change{task, board};
  change.before.parent.reset();
  return change;
}

}  // namespace andon::service
