#include "service/tasks/board_model.hpp"

#include <algorithm>

#include "core/tasks/pick.hpp"
#include "core/tasks/work_state.hpp"

namespace andon::test {
namespace {

using core::EventKind;
using core::Stage;
using core::Task;

constexpr int kDeepest = 5;

bool is_over(Stage stage) { return stage == Stage::done || stage == Stage::archived; }

core::Column const* column_of(core::Board const& board, Stage stage) {
  auto const found = std::ranges::find(board.columns, stage, &core::Column::stage);
  return found == board.columns.end() ? nullptr : &*found;
}

void place(Task& task, core::Column const& column) {
  task.status = column.name;
  task.stage = column.stage;
}

bool is_reviewed(core::Board const& board, Task const& task, std::string_view reviewer) {
  if (!column_of(board, Stage::review)) return false;
  if (task.review != core::ReviewRule::inherit) return task.review == core::ReviewRule::required;
  return task.role != "qa" && task.role != "planner" && (task.role.empty() || task.role != reviewer);
}

std::string_view reviewer_of(core::Board const& board) {
  auto const& by = board.review_by;
  return by.kind == core::Reviewer::role ? std::string_view{by.name} : std::string_view{};
}

}  // namespace

std::int64_t count_open(Task const& task, BoardModel::Tasks const& tasks) {
  return std::ranges::count_if(task.depends_on, [&](core::TaskId id) {
    auto const found = tasks.find(id);
    return found != tasks.end() && !is_over(found->second.stage);
  });
}

core::Progress count_progress(core::TaskId parent, BoardModel::Tasks const& tasks) {
  core::Progress out;
  for (auto const& [id, task] : tasks) {
    if (task.parent != parent) continue;
    ++out.total;
    out.done += is_over(task.stage) ? 1 : 0;
  }
  return out;
}

bool BoardModel::is_held(Task const& task) const {
  bool const is_live = task.state.supervised || !task.claim_expires || *task.claim_expires > now_;
  return !task.claimed_by.empty() && is_live;
}

bool BoardModel::has_room(core::Column const& column) const {
  if (column.wip_limit <= 0) return true;
  return std::ranges::count(tasks_, column.name, [](auto const& entry) { return entry.second.status; }) <
         column.wip_limit;
}

bool BoardModel::may_enter_ready(Task const& task) const {
  auto const* ready = column_of(board_, Stage::ready);
  bool const waits = board_.workflow == core::Workflow::strict && task.state.open_deps > 0;
  return ready && task.stage == Stage::backlog && task.approved && !task.blocked && !is_held(task) &&
         !waits && has_room(*ready);
}

std::optional<core::TaskId> BoardModel::open_review(core::TaskId reviewed, bool reported_too) const {
  Task const* newest = nullptr;
  for (auto const& [id, task] : tasks_)
    if (task.state.reviews == reviewed && !is_over(task.stage) && task.stage != Stage::failed) newest = &task;
  if (!newest || (!reported_too && core::is_reported(*newest))) return std::nullopt;
  return newest->id;
}

void BoardModel::change(Task const& after) {
  auto const before = std::exchange(tasks_.at(after.id), after);
  react(before, after);
}

void BoardModel::add(Task task) {
  auto const parent = task.parent;
  tasks_.emplace(task.id, std::move(task));
  if (parent) update_parent(*parent);
}

void BoardModel::put(Task after, EventKind kind) {
  events_.push_back({kind, after.id});
  change(after);
}

void BoardModel::react(Task const& before, Task const& after) {
  if (is_over(before.stage) != is_over(after.stage)) recount_dependents(after.id);
  if (before.parent != after.parent) {
    if (before.parent) update_parent(*before.parent);
    if (after.parent) update_parent(*after.parent);
  } else if (after.parent && is_over(before.stage) != is_over(after.stage)) {
    update_parent(*after.parent);
  }
  if (before.stage == Stage::ready && before.status != after.status) fill_ready();
  if (after.stage == Stage::done && before.stage != Stage::done) fire_chain(after.id);
  review(before, after);
}

void BoardModel::recount_dependents(core::TaskId id) {
  std::vector<core::TaskId> dependents;
  for (auto const& [other, task] : tasks_)
    if (std::ranges::find(task.depends_on, id) != task.depends_on.end()) dependents.push_back(other);
  for (auto const other : dependents) {
    auto task = tasks_.at(other);
    auto const open = count_open(task, tasks_);
    if (open == task.state.open_deps) continue;
    task.state.open_deps = open;
    if (may_enter_ready(task)) place(task, *column_of(board_, Stage::ready));
    put(std::move(task), EventKind::task_edited);
  }
}

void BoardModel::update_parent(core::TaskId id) {
  auto task = tasks_.at(id);
  auto const progress = count_progress(id, tasks_);
  bool const completes = task.autocomplete && progress.total > 0 && progress.done == progress.total &&
                         !is_over(task.stage) && !task.blocked && task.stage != Stage::review &&
                         task.review != core::ReviewRule::required && !is_held(task);
  if (completes) place(task, *column_of(board_, Stage::done));
  put(std::move(task), completes ? EventKind::task_completed : EventKind::task_edited);
}

void BoardModel::fill_ready() {
  auto const* ready = column_of(board_, Stage::ready);
  if (!ready || ready->wip_limit <= 0) return;
  for (;;) {
    Task const* next = nullptr;
    for (auto const& [id, task] : tasks_)
      if (may_enter_ready(task) && task.state.open_deps == 0 &&
          (!next || core::pick_key(board_, task) < core::pick_key(board_, *next)))
        next = &task;
    if (!next) return;
    auto task = *next;
    place(task, *ready);
    put(std::move(task), EventKind::task_moved);
  }
}

void BoardModel::fire_chain(core::TaskId id) {
  auto& parent = tasks_.at(id);
  auto const chain = parent.next_tasks;
  if (chain.empty() || parent.state.chained) return;
  parent.state.chained = true;
  if (parent.state.depth >= kDeepest) return events_.push_back({EventKind::limit_reached, id});
  auto const depth = parent.state.depth + 1;
  for (auto const& next : chain) {
    Task child;
    child.title = next.title;
    child.role = next.role;
    child.parent = id;
    child.next_tasks = next.next_tasks;
    child.approved = true;
    child.state.depth = depth;
    create(std::move(child), next.status);
  }
}

void BoardModel::create(Task child, std::string const& status) {
  child.id = core::TaskId{tasks_.rbegin()->first + 1};
  auto const* column = status.empty() ? column_of(board_, Stage::ready) : core::find_place(board_, status);
  auto const* backlog = column_of(board_, Stage::backlog);
  if (backlog && column->stage == Stage::ready && !has_room(*column)) column = backlog;
  place(child, *column);
  events_.push_back({EventKind::task_created, child.id});
  add(std::move(child));
}

void BoardModel::review(Task const& before, Task const& after) {
  auto const ended = [](Stage stage) { return stage == Stage::done || stage == Stage::failed; };
  if (after.state.reviews != 0 && ended(after.stage) && !ended(before.stage)) {
    auto work = tasks_.at(after.state.reviews);
    if (work.stage == Stage::review && !open_review(work.id, false)) {
      core::remark(work, core::WorkRemark::no_verdict);
      put(std::move(work), EventKind::task_edited);
    }
  }
  auto const role = reviewer_of(board_);
  if (role.empty() || (before.stage == Stage::review) == (after.stage == Stage::review)) return;
  if (after.stage != Stage::review) return close_review(after.id);
  if (!is_reviewed(board_, after, role) || open_review(after.id, false)) return;
  Task review;
  review.role = role;
  review.parent = after.id;
  review.review = core::ReviewRule::none;
  review.approved = true;
  review.state.reviews = after.id;
  review.state.not_for = before.claimed_by;
  review.state.depth = after.state.depth;
  create(std::move(review), {});
}

void BoardModel::close_review(core::TaskId reviewed) {
  auto const id = open_review(reviewed, true);
  if (!id) return;
  auto task = tasks_.at(*id);
  bool const in_work = task.stage == Stage::claimed || task.stage == Stage::active;
  if (is_held(task) && task.claimed_by == holder_) {
    if (by_run_ && core::is_reported(task)) return;
    if (by_run_) {
      core::note_report(task);
      return put(std::move(task), EventKind::task_edited);
    }
    task.claimed_by.clear();
    place(task, *column_of(board_, Stage::done));
    return put(std::move(task), EventKind::task_completed);
  }
  if (in_work || is_held(task)) return;
  auto const* archived = core::find_place(board_, "archived");
  place(task, *archived);
  put(std::move(task), EventKind::task_archived);
}

}  // namespace andon::test
