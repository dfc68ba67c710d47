#include "core/tasks/change.hpp"

#include "core/boards/load.hpp"
#include "core/tasks/verbs.hpp"

namespace andon::core {
namespace {

void mark_times(Change& change, Instant now) {
  auto& task = change.after;
  bool const leaves_first = !change.board.columns.empty() && task.status != change.board.columns.front().name;
  if (leaves_first && !task.started && task.stage != Stage::archived) task.started = now;
  bool const was_done = is_terminal(change.before.stage) && task.completed;
  if (task.stage == Stage::done && !was_done) task.completed = now;
  if (!is_terminal(task.stage)) task.completed.reset();
}

bool finds_it_full(Change const& change, Load const& load, Column const& column) {
  if (column.wip_limit <= 0) return false;
  auto const room = check_room(change, load, column);
  return !room && room.error().code == Code::kWipLimitExceeded;
}

}  // namespace

void place(Change& change, Column const& column, Instant now) {
  auto& task = change.after;
  task.status = column.name;
  task.stage = column.stage;
  change.moved = task.status != change.before.status;
  if (change.moved) task.state.entered = now;
  mark_times(change, now);
}

void place(Change& change, Stage stage, Instant now) {
  if (auto const* column = landing_column(change.board, stage)) place(change, *column, now);
}

void follow_column(Change& change, std::string const& reason) {
  auto& task = change.after;
  if (is_backlog(task.stage) && !is_backlog(change.before.stage)) task.approved = false;
  bool const is_in_column = task.stage == Stage::blocked;
  if (is_in_column && !task.blocked) {
    task.blocked = true;
    task.block_reason = kNoReason;
    task.state.returns_to = change.before.status;
  } else if (change.before.stage == Stage::blocked && !is_in_column) {
    task.blocked = false;
    task.block_reason.clear();
    task.state.returns_to.clear();
  }
  if (is_in_column && !reason.empty()) task.block_reason = reason;
}

Result<void> check_room(Change const& change, Load const& load, Column const& column) {
  return check_wip(change.board, load, column, change.after, &change.before);
}

Result<void> check_room(Change const& change, Load const& load) {
  auto const* column = find_column(change.board, change.after.status);
  return column ? check_room(change, load, *column) : Result<void>{};
}

Result<void> check_room(Change const& change, Load const& load, Stage stage) {
  auto const* column = landing_column(change.board, stage);
  return column ? check_room(change, load, *column) : Result<void>{};
}

void place_or_queue(Change& change, Load const& load, Column const& column, Instant now) {
  if (!finds_it_full(change, load, column)) return place(change, column, now);
  auto const* backlog = backlog_column(change.board);
  bool const may_wait = is_legal(change.before.stage, Stage::backlog);
  if (column.stage == Stage::ready && backlog && may_wait) {
    change.after.approved = true;
    return place(change, *backlog, now);
  }
  change.exceeded = &column;
  place(change, column, now);
}

void place_or_queue(Change& change, Load const& load, Stage stage, Instant now) {
  if (auto const* column = landing_column(change.board, stage)) place_or_queue(change, load, *column, now);
}

}  // namespace andon::core
