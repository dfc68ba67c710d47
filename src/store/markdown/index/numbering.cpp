#include "store/markdown/index/numbering.hpp"

#include <algorithm>

#include "store/engine/unit/unit.hpp"

namespace andon::store::markdown {
namespace {

using core::Task;
using core::TaskId;
}  // namespace

std::optional<TaskId> Numbering::id_of(engine::FileTable& files, FileNumber number) const {
  if (!attached_) return as_id(number);
  auto const row = files.number({.board = board_, .number = number});
  return row ? std::optional{row->task} : std::nullopt;
}

TaskId Numbering::take_id(engine::Unit& tx, FileNumber number) const {
  if (auto const known = id_of(tx.files(), number)) return *known;
  auto const id = tx.reserve_task();
  note(tx.files(), number, id);
  return id;
}

std::optional<FileNumber> Numbering::number_of(engine::FileTable& files, TaskId id) const {
  if (!attached_) return as_number(id);
  auto const row = files.number({.task = id});
  return row && row->board == board_ ? std::optional{FileNumber{row->number}} : std::nullopt;
}

void Numbering::note(engine::FileTable& files, FileNumber number, TaskId id) const {
  if (attached_) files.write({.board = board_, .numbers = {{board_, number, id}}});
}

FileNumber Numbering::highest(engine::Unit& tx) const {
  if (!attached_) return as_number(tx.highest_task());
  auto const row = tx.files().number({.board = board_});
  return FileNumber{row ? row->number : 0};
}

void Numbering::remove_all(engine::FileTable& files) const {
  if (attached_) files.write({.board = board_, .drops_numbers = true});
}

Task Numbering::in_file(engine::FileTable& files, Task task) const {
  if (!attached_) return task;
  auto const number = [&](TaskId id) { return number_of(files, id).transform(as_id); };
  task.id = number(task.id).value_or(0);
  if (task.parent) task.parent = number(*task.parent);
  if (task.state.reviews != 0) task.state.reviews = number(task.state.reviews).value_or(0);
  std::vector<TaskId> named;
  for (auto const id : task.depends_on)
    if (auto const known = number(id)) named.push_back(*known);
  task.depends_on = std::move(named);
  return task;
}

Task Numbering::in_store(engine::Unit& tx, Task task) const {
  if (!attached_) return task;
  auto const id = [&](TaskId in_file) { return take_id(tx, as_number(in_file)); };
  task.id = id(task.id);
  if (task.parent) task.parent = id(*task.parent);
  if (task.state.reviews != 0) task.state.reviews = id(task.state.reviews);
  std::ranges::transform(task.depends_on, task.depends_on.begin(), id);
  return task;
}

void Numbering::keep_foreign(engine::FileTable& files, Task& task, Task const& known) const {
  if (!attached_) return;
  auto const is_foreign = [&](TaskId id) { return id != 0 && !number_of(files, id); };
  if (!task.parent && known.parent && is_foreign(*known.parent)) task.parent = known.parent;
  if (task.state.reviews == 0 && is_foreign(known.state.reviews)) task.state.reviews = known.state.reviews;
  std::ranges::copy_if(known.depends_on, std::back_inserter(task.depends_on), is_foreign);
}

}  // namespace andon::store::markdown
