#include <stdexcept>

#include "store/sqlite/transaction/transaction.hpp"

// The change of a board with many tasks takes one unit of work, and the changes of its tasks take many. A row
// of `settling` stores the last settled task, so that a crash loses nothing.
namespace andon::store::sqlite {
namespace {

Query const kSettlingBegin{"settling_begin"};
Query const kEnd{"settling_end"};
Query const kGoOn{"settling_go_on"};
Query const kSettlingLeft{"settling_left"};
Query const kTasksToSettle{"tasks_to_settle"};
Query const kIds{"task_ids_of_board"};
Query const kNumberedUpTo{"numbered_up_to"};
Query const kFileRemove{"file_of_task_remove"};
Query const kNumberRemove{"number_of_task_remove"};

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
bool Transaction::is_to_settle(core::Board const& board) {
  bool const is_shared = mirror_ && mirror_->is_shared();
  return !is_shared && tasks_in(loads_.of(db_, board.id)) > kMostAtOnce;
}

void Transaction::begin_to_settle(core::Board& board) {
  auto load = loads_.of(db_, board.id);
  board.settling = tasks_in(load);
  db_.run(kSettlingBegin, board.id, *board.settling);
  loads_.recount(db_, board.id, under_present_names(board, std::move(load)));
}

void Transaction::end_settling(BoardId board) { db_.run(kEnd, board); }

std::vector<core::Task> Transaction::unsettled(BoardId board, std::size_t limit) {
  std::vector<core::Task> out;
  for (auto row = db_.query(kTasksToSettle, board, limit); row.step();) out.push_back(read(row));
  return out;
}

void Transaction::settle(core::TaskId id) {
  before_write();
  auto const* found = kept(id);
  if (!found) throw std::logic_error{"an unknown task was settled"};
  auto task = *found;
  auto const& board = board_named(task);
  auto const place_before = place_of(board, task);
  task.stage = core::stage_of(board, task.status);
  auto const derived = put_derived(task, board);
  if (derived.available == 1) changes_.offer(id, board.id, task.status, derived.queue_key);
  if (auto const place = place_of(board, task); place != place_before) {
    loads_.leave(db_, place_before);
    loads_.enter(db_, place);
  }
  refill(task);
  db_.run(kGoOn, board.id, id);
}

/// Erases a task; tasks of other boards that waited for it no longer wait.
void Transaction::forget_task(core::TaskId id) {
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

bool Transaction::forget_tasks(BoardId board, std::size_t most) {
  before_write();
  MirrorSuspension const suspension{*this};
  std::vector<core::TaskId> ids;
  for (auto row = db_.query(kIds, board, most); row.step();) ids.emplace_back(row.integer(0));
  for (auto const id : ids) {
    forget_task(id);
    db_.run(kNumberedUpTo, id);
    db_.run(kFileRemove, id);
    db_.run(kNumberRemove, id);
  }
  return ids.size() < most;
}

std::int64_t Transaction::left_to_settle(BoardId board) {
  auto row = db_.query(kSettlingLeft, board);
  return row.step() ? row.integer(0) : 0;
}

}  // namespace andon::store::sqlite
