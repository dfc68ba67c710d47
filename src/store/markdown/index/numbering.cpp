#include "store/markdown/index/numbering.hpp"

#include <algorithm>

namespace andon::store::markdown {
namespace {

using core::Task;
using core::TaskId;
using sqlite::Query;

Query const kTaskOf{"task_of_number"};
Query const kNumberOf{"number_of_task"};
Query const kNumberPut{"number_put"};
Query const kHighest{"number_highest"};
Query const kNumbersRemove{"numbers_remove"};
Query const kNumberedUpTo{"numbered_up_to"};
Query const kHighestTask{"task_last_id"};

}  // namespace

std::optional<TaskId> Numbering::id_of(sqlite::Connection& db, FileNumber number) const {
  if (!attached_) return as_id(number);
  auto row = db.query(kTaskOf, board_, number);
  return row.step() ? std::optional{TaskId{row.integer(0)}} : std::nullopt;
}

TaskId Numbering::take_id(sqlite::Transaction& tx, FileNumber number) const {
  if (auto const known = id_of(tx.connection(), number)) return *known;
  auto const id = tx.reserve_task();
  note(tx.connection(), number, id);
  return id;
}

std::optional<FileNumber> Numbering::number_of(sqlite::Connection& db, TaskId id) const {
  if (!attached_) return as_number(id);
  auto row = db.query(kNumberOf, id);
  return row.step() && row.integer(0) == board_ ? std::optional{FileNumber{row.integer(1)}} : std::nullopt;
}

void Numbering::note(sqlite::Connection& db, FileNumber number, TaskId id) const {
  if (attached_) db.run(kNumberPut, board_, number, id);
}

FileNumber Numbering::highest(sqlite::Connection& db) const {
  auto row = attached_ ? db.query(kHighest, board_) : db.query(kHighestTask);
  return FileNumber{row.step() ? row.integer(0) : 0};
}

void Numbering::remove_all(sqlite::Connection& db) const {
  if (!attached_) return;
  if (auto row = db.query(kHighestTask); row.step()) db.run(kNumberedUpTo, row.integer(0));
  db.run(kNumbersRemove, board_);
}

Task Numbering::in_file(sqlite::Connection& db, Task task) const {
  if (!attached_) return task;
  auto const number = [&](TaskId id) { return number_of(db, id).transform(as_id); };
  task.id = number(task.id).value_or(0);
  if (task.parent) task.parent = number(*task.parent);
  if (task.state.reviews != 0) task.state.reviews = number(task.state.reviews).value_or(0);
  std::vector<TaskId> named;
  for (auto const id : task.depends_on)
    if (auto const known = number(id)) named.push_back(*known);
  task.depends_on = std::move(named);
  return task;
}

Task Numbering::in_store(sqlite::Transaction& tx, Task task) const {
  if (!attached_) return task;
  auto const id = [&](TaskId in_file) { return take_id(tx, as_number(in_file)); };
  task.id = id(task.id);
  if (task.parent) task.parent = id(*task.parent);
  if (task.state.reviews != 0) task.state.reviews = id(task.state.reviews);
  std::ranges::transform(task.depends_on, task.depends_on.begin(), id);
  return task;
}

void Numbering::keep_foreign(sqlite::Connection& db, Task& task, Task const& known) const {
  if (!attached_) return;
  auto const is_foreign = [&](TaskId id) { return id != 0 && !number_of(db, id); };
  if (!task.parent && known.parent && is_foreign(*known.parent)) task.parent = known.parent;
  if (task.state.reviews == 0 && is_foreign(known.state.reviews)) task.state.reviews = known.state.reviews;
  std::ranges::copy_if(known.depends_on, std::back_inserter(task.depends_on), is_foreign);
}

}  // namespace andon::store::markdown
