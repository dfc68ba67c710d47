#include <algorithm>
#include <stdexcept>

#include "store/engine/driver.hpp"
#include "store/engine/external_source.hpp"
#include "store/engine/unit/unit.hpp"

// The change of a board with many tasks takes one unit of work, and the changes of its tasks take many. A row
// of `settling` stores the last settled task, so that a crash loses nothing.
namespace andon::store::engine {
namespace {

std::int64_t tasks_in(core::Load const& load) {
  std::int64_t out = 0;
  for (auto const& [column, tasks] : load.columns) out += tasks;
  return out;
}

/// The load with tasks counted under the present name of their class: class names ignore case.
core::Load under_present_names(core::Board const& board, core::Load load) {
  std::map<std::string, std::int64_t, std::less<>> classes;
  for (auto const& [name, tasks] : load.classes) {
    auto const index = core::class_index(board, name);
    classes[index ? board.classes[*index].name : name] += tasks;
  }
  load.classes = std::move(classes);
  return load;
}

}  // namespace

/// Never on a board of files: each command there is a process, and no process would continue after it ended.
bool Unit::is_to_settle(core::Board const& board) {
  bool const is_shared = source_ && source_->is_shared();
  return !is_shared && tasks_in(loads_.of(session_, board.id)) > kMostAtOnce;
}

void Unit::begin_to_settle(core::Board& board) {
  auto load = loads_.of(session_, board.id);
  board.settling = tasks_in(load);
  session_.write({.records = {.settling = {{board.id, 0, *board.settling}}}});
  loads_.recount(session_, board.id, under_present_names(board, std::move(load)));
}

void Unit::end_settling(BoardId board) { session_.write({.settled = {board}}); }

std::optional<Settling> Unit::settling(BoardId board) {
  auto const found = records({.kind = RecordsQuery::Kind::settling, .number = board}).settling;
  return found.empty() ? std::nullopt : std::optional{found.front()};
}

std::vector<core::Task> Unit::unsettled(BoardId board, std::size_t limit) {
  auto const progress = settling(board);
  if (!progress) return {};
  return named(session_.tasks_in(
      {.kind = TaskSet::Kind::of_board, .board = board, .after = {{}, progress->after}, .most = limit}));
}

void Unit::settle(core::TaskId id) {
  before_write();
  auto const* found = kept(id);
  if (!found) throw std::logic_error{"an unknown task was settled"};
  auto const before = *found;
  auto task = before;
  auto const& board = board_named(task);
  auto const place_before = place_of(board, task);
  task.stage = core::stage_of(board, task.status);
  auto const derived = put_derived(task, before, board);
  if (derived.available == 1) signals_.changes.offer(id, board.id, task.status, derived.queue_key);
  if (auto const place = place_of(board, task); place != place_before) {
    loads_.leave(session_, place_before);
    loads_.enter(session_, place);
  }
  tasks_.update(task);
  auto progress = settling(board.id);
  if (!progress) return;
  if (progress->after < id) progress->unsettled = std::max<std::int64_t>(progress->unsettled - 1, 0);
  progress->after = std::max(progress->after, id);
  session_.write({.records = {.settling = {*progress}}});
}

/// Erases a task; tasks of other boards that waited for it no longer wait.
void Unit::forget_task(core::TaskId id) {
  auto const waiting = dependents(id);
  auto const* known = kept(id);
  bool const was_open = known && !core::is_terminal(known->stage);
  erase(id);
  for (auto const other : waiting) {
    auto task = this->task(other);
    if (!task || !was_open || task->state.open_deps == 0) continue;
    --task->state.open_deps;
    put(*task, false);
  }
}

bool Unit::forget_tasks(BoardId board, std::size_t most) {
  before_write();
  SourceSuspension const suspension{*this};
  auto const rows = session_.tasks_in({.kind = TaskSet::Kind::of_board, .board = board, .most = most});
  for (auto const& row : rows) {
    forget_task(row.task.id);
    session_.write({.forgotten = {row.task.id}});
  }
  return rows.size() < most;
}

std::int64_t Unit::left_to_settle(BoardId board) {
  auto const progress = settling(board);
  return progress ? progress->unsettled : 0;
}

}  // namespace andon::store::engine
