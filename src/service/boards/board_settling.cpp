#include "service/boards/board_settling.hpp"

#include <algorithm>
#include <utility>

#include "service/boards/columns.hpp"
#include "service/tasks/act.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Column;
using core::EventKind;

/// The most that one unit of work may cost, in tasks whose derived data is computed again.
constexpr std::int64_t kBudget = 200;
constexpr std::int64_t kMove = 10;
/// On an attached board a file is written for each task.
constexpr std::int64_t kMoveOfFile = 50;

Column const* target_of(core::Board const& board, core::Task const& task) {
  auto const* column = core::find_column(board, task.status);
  return column && !column->goes_to.empty() ? core::find_column(board, column->goes_to) : nullptr;
}

/// A column under its new name: its tasks keep their age in it.
void rename(OperationContext& ctx, Change& change, Column const& to) {
  auto const& before = change.before;
  place(change, to, ctx.now);
  change.moved = false;
  change.after.state.entered = before.state.entered;
  change.after.started = before.started;
  save(ctx, change, EventKind::task_moved, {{"column_renamed", before.status}});
}

/// A person wanted them there, so they are approved as if they had been moved one by one.
void move(OperationContext& ctx, Change& change, Column const& to) {
  auto const from = change.before.status;
  place(change, to, ctx.now);
  if (core::uses_capacity(to.stage) || core::is_in_review(to.stage)) change.after.approved = true;
  if (core::is_backlog(to.stage)) change.after.approved = false;
  save(ctx, change, EventKind::task_moved, {{"column_removed", from}});
}

/// False when it has to stay until its agent has ended.
bool leave_column(OperationContext& ctx, core::Board const& board, core::Task const& task, Column const& to) {
  if (!check_can_leave(ctx, task, to)) return false;
  Change change{task, board};
  if (core::find_column(board, task.status)->renamed)
    rename(ctx, change, to);
  else
    move(ctx, change, to);
  return true;
}

/// Updates a task that did not count while the board changed: its column has become an end, or is no end any
/// more.
bool flip_end(OperationContext& ctx, core::Board const& board, core::Task const& task) {
  auto const* column = core::find_column(board, task.status);
  if (!column || core::is_terminal(column->stage) == core::is_terminal(task.stage)) return false;
  Change change{task, board};
  place(change, *column, ctx.now);
  save(ctx, change, EventKind::task_edited, {{"stage", std::string{core::to_text(column->stage)}}});
  return true;
}

bool redirect(OperationContext& ctx, core::Board const& board, core::Task task) {
  auto const* back = core::find_column(board, task.state.returns_to);
  if (!task.blocked || !back || back->goes_to.empty()) return false;
  task.state.returns_to = back->goes_to;
  ctx.tx.put(task);
  return true;
}

/// True when it cost as much as a move.
bool apply_run_result(OperationContext& ctx, core::Board const& board, core::TaskId id) {
  auto const task = ctx.tx.task(id);
  if (!task) return false;
  bool is_dear = redirect(ctx, board, *task);
  if (auto const* to = target_of(board, *task))
    is_dear = leave_column(ctx, board, *ctx.tx.task(id), *to) || is_dear;
  else
    is_dear = flip_end(ctx, board, *ctx.tx.task(id)) || is_dear;
  ctx.tx.settle(id);
  return is_dear;
}

std::int64_t price_of_move(core::Board const& board) {
  return core::is_attached(board) ? kMoveOfFile : kMove;
}

/// The tasks in the order of their numbers, from where the last unit ended. False when all are settled.
bool settle_tasks(OperationContext& ctx, core::Board const& board) {
  std::int64_t cost = 0;
  for (auto const& task : ctx.tx.unsettled(board.id, kBudget)) {
    if (cost >= kBudget) return true;
    cost += apply_run_result(ctx, board, task.id) ? price_of_move(board) : 1;
  }
  return cost > 0;
}

/// Moves the tasks out of a removed column that entered it later, or could not leave it before. True when
/// some left.
bool empty_column(OperationContext& ctx, core::Board const& board, Column const& column) {
  store::TaskFilter filter;
  filter.board = board.id;
  filter.statuses = {column.name};
  filter.archived = true;
  store::Page page;
  page.limit = static_cast<std::size_t>(kBudget / price_of_move(board)) + ctx.tx.live_runs().size();
  auto const found = ctx.tx.list(filter, page);
  auto const* to = core::find_column(board, column.goes_to);
  bool is_any_moved = false;
  if (found && to)
    for (auto const& task : found->tasks) is_any_moved = leave_column(ctx, board, task, *to) || is_any_moved;
  return is_any_moved;
}

bool is_empty(OperationContext& ctx, core::Board const& board, Column const& column) {
  auto const load = ctx.tx.load(board.id);
  auto const found = load.columns.find(column.name);
  return found == load.columns.end() || found->second == 0;
}

void tell_settled(OperationContext& ctx, core::Board const& board) {
  core::Event event;
  event.kind = EventKind::board_changed;
  event.board = board.name;
  append_event(ctx, std::move(event), {{"what", "settled"}});
}

/// Columns that are empty now go, and the board is settled but for those that are not.
void finish(OperationContext& ctx, core::Board board) {
  std::vector<Column> gone;
  std::erase_if(board.columns, [&](Column const& column) {
    if (column.goes_to.empty() || !is_empty(ctx, board, column)) return false;
    gone.push_back(column);
    return true;
  });
  bool const was_settling = std::exchange(board.settling, std::nullopt).has_value();
  if (gone.empty() && !was_settling) return;
  board.rev = core::next(board.rev);
  ctx.tx.put(board);
  for (auto const& column : gone) tell_former(ctx, board, column, column.goes_to);
  tell_settled(ctx, board);
}

bool remove(OperationContext& ctx, core::Board const& board) {
  if (!ctx.tx.forget_tasks(board.id, store::kMostAtOnce)) return true;
  ctx.tx.remove_board(board.id);
  tell_settled(ctx, board);
  return false;
}

/// True when the board needs another unit of work.
bool settle_board(OperationContext& ctx, core::Board const& board) {
  if (board.removing) return remove(ctx, board);
  if (board.settling && settle_tasks(ctx, board)) return true;
  for (auto const& column : board.columns)
    if (!column.goes_to.empty() && empty_column(ctx, board, column)) return true;
  if (fill_ready_column(ctx, board)) return true;
  finish(ctx, board);
  return false;
}

}  // namespace

bool is_any_settling(OperationContext& ctx) {
  return std::ranges::any_of(ctx.tx.boards(), [](auto const* board) { return core::is_settling(*board); });
}

bool settle_boards(OperationContext& ctx) {
  auto engine = as_system(ctx);
  for (auto const* found : ctx.tx.boards()) {
    if (!core::is_settling(*found) || (!found->trouble.empty() && !found->removing)) continue;
    auto const board = *found;
    if (settle_board(engine, board)) return true;
  }
  return false;
}

}  // namespace andon::service
