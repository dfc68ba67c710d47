#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/tasks/rank.hpp"
#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/external_source.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {

/// True when nothing changed that a pick looks at, so that a picker that passed over the task would do so
/// again.
bool is_offered_alike(core::Task const& a, core::Task const& b) {
  return a.board == b.board && a.status == b.status && a.stage == b.stage && a.assignee == b.assignee &&
         a.role == b.role && a.approved == b.approved && a.class_ == b.class_ && a.priority == b.priority &&
         a.due == b.due && a.rank == b.rank && a.tags == b.tags && a.touches == b.touches &&
         a.parent == b.parent && a.depends_on == b.depends_on && a.blocked == b.blocked &&
         a.state.open_deps == b.state.open_deps && a.state.not_for == b.state.not_for &&
         a.claimed_by == b.claimed_by && a.claim_expires == b.claim_expires && a.not_before == b.not_before &&
         a.run == b.run;
}

/// The stage of the task's column, except while the board settles: then a change that finishes the task, or
/// makes it unfinished, is left to the caller, who also handles its consequences.
core::Stage stage_now(core::Board const& board, core::Task const& task) {
  auto const stage = core::stage_of(board, task.status);
  bool const flips = core::is_terminal(stage) != core::is_terminal(task.stage);
  return board.settling && flips ? task.stage : stage;
}

std::int64_t bytes_of(std::vector<core::NextTask> const& chain) {
  std::int64_t out = 0;
  for (auto const& next : chain)
    out += std::ssize(next.title) + std::ssize(next.body) + bytes_of(next.next_tasks);
  return out;
}

}  // namespace

core::Task Unit::named(TaskRow row) {
  row.task.board = board_of(row.board).name;
  return std::move(row.task);
}

std::vector<core::Task> Unit::named(std::vector<TaskRow> rows) {
  std::vector<core::Task> out;
  out.reserve(rows.size());
  for (auto& row : rows) out.push_back(named(std::move(row)));
  return out;
}

core::Task const* Unit::kept(core::TaskId id) {
  if (id == 0) return nullptr;
  if (auto const* task = tasks_.find(id)) return task;
  auto rows = session_.tasks({{id}});
  return rows.empty() ? nullptr : &tasks_.keep(named(std::move(rows.front())));
}

std::optional<core::Task> Unit::task(core::TaskId id) {
  auto const* found = kept(id);
  if (!found) {
    if (places_) places_->on_not_found(session_.files(), id);
    return std::nullopt;
  }
  std::optional task{*found};
  if (places_ && task->file.empty()) task->file = places_->file_of(session_.files(), board_named(*task), id);
  return task;
}

std::optional<std::string> Unit::body(core::TaskId id) {
  auto found = session_.tasks({{id}, true});
  return found.empty() ? std::nullopt : std::optional{std::move(found.front().task.body)};
}

/// The task of a key. On an attached board the number in a key is the number in the files.
std::optional<core::TaskId> Unit::task_of_number(std::string_view prefix, std::int64_t number) {
  for (auto const& [id, board] : board_cache_.boards()) {
    if (!core::is_attached(*board) || !core::is_ascii_equal(board->prefix, prefix)) continue;
    auto const row = session_.files().number({.board = id, .number = number});
    return row ? std::optional{row->task} : std::nullopt;
  }
  return core::TaskId{number};
}

std::optional<core::TaskId> Unit::task_with_key(std::string_view key) {
  auto const dash = key.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  std::int64_t number = 0;
  auto const* end = key.data() + key.size();
  auto const parsed = std::from_chars(key.data() + dash + 1, end, number);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  auto const found = task_of_number(key.substr(0, dash), number);
  if (!found) return std::nullopt;
  auto const id = *found;
  auto const* task = kept(id);
  if (!task || !core::is_ascii_equal(task->key, key)) return std::nullopt;
  return id;
}

core::Task Unit::add(core::Task task) {
  before_write();
  auto const& board = board_named(task);
  if (task.id == 0) task.id = core::TaskId{numbers_->task + 1};
  numbers_->task = std::max<std::int64_t>(numbers_->task, task.id);
  if (task.rank.empty()) task.rank = core::rank_of(task.id);
  if (!board.prefix.empty() && (task.key.empty() || !core::is_attached(board)))
    task.key = board.prefix + "-" + std::to_string(task.id);
  task.board = board.name;
  task.stage = core::stage_of(board, task.status);
  task.children.reset();
  if (source_) source_->adding(*this, board, task);
  auto const derived = derive(board, task);
  auto const sketch = core::sketch_of(core::words_of(task));
  turn_.added_bytes += std::ssize(task.title) + std::ssize(task.body) + bytes_of(task.next_tasks);
  session_.write({.tasks = {{&task, nullptr, board.id, &derived, true, &sketch}}});
  note_move(task, nullptr, board, derived);
  tasks_.keep(task);
  return task;
}

void Unit::put(core::Task const& given, bool with_body) {
  before_write();
  auto const* before = kept(given.id);
  if (!before) throw std::logic_error{"an unknown task was put"};
  auto const& board = board_named(given);
  auto const stage = stage_now(board, given);
  std::optional<core::Task> settled;
  bool const is_mirrored = source_ && source_->is_in_use();
  if (stage != given.stage || is_mirrored) settled.emplace(given).stage = stage;
  if (is_mirrored) source_->putting(*this, board, *before, *settled, with_body);
  auto const& task = settled ? *settled : given;

  auto const derived = derive(board, task);
  auto const sketch = new_sketch(*before, task, with_body);
  session_.write({.tasks = {{&task, before, board.id, &derived, with_body, sketch ? &*sketch : nullptr}}});
  note_move(task, before, board, derived);
  tasks_.update(task);
}

/// The sketch of a changed task; nothing where the stored one stays.
std::optional<core::Sketch> Unit::new_sketch(core::Task const& before, core::Task const& task,
                                             bool with_body) {
  bool const stays = !with_body && task.title == before.title && task.board == before.board;
  if (stays) return std::nullopt;
  if (with_body) return core::sketch_of(core::words_of(task));
  auto whole = task;
  whole.body = body(task.id).value_or("");
  return core::sketch_of(core::words_of(whole));
}

std::vector<core::Task> Unit::alike(BoardId board, core::Sketch sketch, std::size_t limit,
                                    std::function<bool(core::Task const&)> const& counts) {
  refresh();
  std::vector<core::TaskId> ids;
  auto const rows = session_.tasks_in(
      {.kind = TaskSet::Kind::alike, .board = board, .most = limit, .keys = std::move(sketch)});
  for (auto const& row : rows)
    if (counts(row.task)) ids.push_back(row.task.id);
  return ids.empty() ? std::vector<core::Task>{} : named(session_.tasks({std::move(ids), true}));
}

void Unit::erase(core::TaskId id) {
  before_write();
  auto const* found = kept(id);
  if (!found) return;
  auto const task = *found;
  session_.write({.erased = {&task}});
  loads_.leave(session_, place_of(board_named(task), task));
  if (holds_files(task)) give_files_back(board_named(task).id);
  signals_.changes.withdraw(id);
  tasks_.clear();
}

void Unit::give_files_back(BoardId board) {
  signals_.changes.make_room(board);
  held_.free(board);
}

void Unit::note_move(core::Task const& task, core::Task const* before, core::Board const& board,
                     Derived const& derived) {
  auto const place = place_of(board, task);
  if (derived.available != 1) {
    signals_.changes.withdraw(task.id);
  } else if (!before || !is_offered_alike(*before, task)) {
    signals_.changes.offer(task.id, board.id, task.status, derived.queue_key);
    held_.enter(board.id, task.status, derived.queue_key,
                {derived.class_rank, derived.pick_due, derived.priority_rank, task.rank, task.id});
  }
  if (!before) return loads_.enter(session_, place);

  auto const& board_before = before->board == task.board ? board : board_named(*before);
  auto const place_before = place_of(board_before, *before);
  if (place != place_before) {
    loads_.leave(session_, place_before);
    loads_.enter(session_, place);
    if (has_limit(board_before, place_before)) signals_.changes.make_room(board_before.id);
  }
  if (holds_files(*before) && (!derived.holds_files || before->touches != task.touches))
    give_files_back(board_before.id);
  bool const still_holds = task.claimed_by == before->claimed_by && core::uses_capacity(task.stage);
  if (!before->claimed_by.empty() && !still_holds) signals_.changes.free_holder(before->claimed_by);
}

}  // namespace andon::store::engine
