#include "service/boards/columns.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/text/names.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/placement.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Column;
using core::EventKind;
using core::Result;

using Columns = std::vector<Column>;

Columns::iterator find(Columns& columns, std::string_view name) {
  return std::ranges::find_if(columns, [&](Column const& c) { return core::same_name(c.name, name); });
}

std::unexpected<core::Error> unknown(Columns const& columns, std::string const& name, std::string field) {
  std::string names;
  for (auto const& column : columns) names += (names.empty() ? "" : ", ") + column.name;
  return core::refuse(Code::kInvalidStatus, "the board has no column \"" + name + "\"; it has: " + names,
                      std::move(field));
}

Result<Columns::iterator> known(Columns& columns, std::string const& name, std::string field) {
  if (auto const found = find(columns, name); found != columns.end()) return found;
  return unknown(columns, name, std::move(field));
}

/// Every column that held back or was held back under the old name does so under the new one.
void rename_held(Columns& columns, std::string const& from, std::string const& to) {
  for (auto& column : columns)
    if (core::same_name(column.holds_back, from)) column.holds_back = to;
}

/// No column takes a name that another one gives up in the same step: tasks are found by the names.
Result<void> rename(Columns& columns, std::map<std::string, std::string> const& names) {
  auto had = columns;
  for (auto const& [from, to] : names) {
    ANDON_TRY(auto const column, known(columns, from, "rename_columns"));
    auto const other = find(had, to);
    if (other != had.end() && other->name != column->name)
      return core::refuse(Code::kInvalidInput,
                          "\"" + to + "\" is the name of another column; rename that one first, by itself",
                          "rename_columns");
    if (core::same_name(column->title, column->name)) column->title = to;
    auto const old = std::exchange(column->name, to);
    rename_held(columns, old, to);
  }
  return {};
}

Result<void> remove(Columns& columns, std::vector<std::string> const& names) {
  for (auto const& name : names) {
    ANDON_TRY(auto const column, known(columns, name, "remove_columns"));
    auto const gone = column->name;
    columns.erase(column);
    rename_held(columns, gone, {});
  }
  return {};
}

/// New columns stand before the ends of the board, unless they are ends themselves.
void add(Columns& columns, Columns const& more) {
  for (auto const& column : more) {
    auto at = columns.end();
    if (!core::is_finished(column.stage))
      at = std::ranges::find_if(columns, [](Column const& c) { return core::is_finished(c.stage); });
    columns.insert(at, column);
  }
}

Result<void> limit(Columns& columns, std::map<std::string, int> const& limits) {
  for (auto const& [name, most] : limits) {
    if (most < 0) return core::refuse(Code::kInvalidInput, "a WIP limit cannot be negative", "wip_limits");
    ANDON_TRY(auto const column, known(columns, name, "wip_limits"));
    column->wip_limit = most;
  }
  return {};
}

Result<void> order(Columns& columns, std::vector<std::string> const& names) {
  if (names.empty()) return {};
  auto left = columns;
  Columns out;
  for (auto const& name : names) {
    auto const column = find(left, name);
    if (column == left.end() && find(out, name) != out.end())
      return core::refuse(Code::kInvalidInput, "\"" + name + "\" stands twice in \"order_columns\"",
                          "order_columns");
    if (column == left.end()) return unknown(columns, name, "order_columns");
    out.push_back(std::move(*column));
    left.erase(column);
  }
  if (!left.empty())
    return core::refuse(Code::kInvalidInput,
                        "\"order_columns\" must name every column; \"" + left.front().name + "\" is missing",
                        "order_columns");
  columns = std::move(out);
  return {};
}

template <class Map>
auto find_by_name(Map const& map, std::string_view name) {
  return std::ranges::find_if(map, [&](auto const& entry) { return core::same_name(entry.first, name); });
}

/// The tasks that left a column that goes, with that column. No task leaves a column twice, and what adds
/// tasks, chains and reviews, has an end: so the columns are empty some time.
using Departures = std::set<std::pair<core::TaskId, std::string>>;

/// Calls `change` for every task that has that status, until none has it any more.
template <class Each>
Result<void> drain(OperationContext& ctx, core::Board const& board, std::string const& status,
                   Departures& departures, Each const& change) {
  store::TaskFilter filter;
  filter.board = board.id;
  filter.statuses = {status};
  filter.archived = true;
  for (;;) {
    ANDON_TRY(auto const page, ctx.tx.list(filter, {}));
    if (page.tasks.empty()) return {};
    for (auto const& listed : page.tasks) {
      auto const task = ctx.tx.task(listed.id);  // what followed from the changes before may have changed it
      if (!task || task->status != status) continue;
      if (!departures.emplace(task->id, status).second)
        throw std::logic_error{"a task came back into a column that goes"};
      ANDON_CHECK(change(*task));
    }
  }
}

Result<void> rename_tasks(OperationContext& ctx, core::Board const& board, std::string const& from,
                          Column const& to, Departures& departures) {
  return drain(ctx, board, from, departures, [&](core::Task const& task) -> Result<void> {
    Change change{task, board};
    place(change, to, ctx.now);
    change.moved = false;
    change.after.state.entered = task.state.entered;
    change.after.started = task.started;
    save(ctx, change, EventKind::task_moved, {{"column_renamed", from}});
    return {};
  });
}

Result<void> move_tasks(OperationContext& ctx, core::Board const& board, std::string const& from,
                        Column const& to, Departures& departures) {
  return drain(ctx, board, from, departures, [&](core::Task const& task) -> Result<void> {
    ANDON_CHECK(check_can_leave(ctx, task, to));
    Change change{task, board};
    ANDON_CHECK(check_room(ctx, change, to));
    place(change, to, ctx.now);
    // Approval ends with a move back to the backlog: an approved task would come out again.
    if (core::is_backlog(to.stage)) change.after.approved = false;
    save(ctx, change, EventKind::task_moved, {{"column_removed", from}});
    return {};
  });
}

Result<void> empty_column(OperationContext& ctx, core::Board const& board, Column const& gone,
                          ColumnPlan const& plan, Departures& departures) {
  auto const target = plan.targets.find(gone.name);
  if (target != plan.targets.end())
    return move_tasks(ctx, board, gone.name, *core::find_place(board, target->second), departures);
  auto const load = ctx.tx.load(board.id);
  auto const count = load.columns.find(gone.name);
  if (count == load.columns.end() || count->second == 0) return {};
  return core::refuse(Code::kInvalidInput,
                      "column \"" + gone.name + "\" still has " + std::to_string(count->second) +
                          (count->second == 1 ? " task" : " tasks") + "; say in move_tasks where " +
                          (count->second == 1 ? "it goes" : "they go"),
                      "move_tasks");
}

Result<void> empty_columns(OperationContext& ctx, core::Board const& before, core::Board const& after,
                           Columns const& leaving, ColumnPlan const& plan) {
  // While tasks move, the board has the columns they leave and the columns they enter. A column that goes has
  // no limit any more, so that the room its tasks make draws nothing into it.
  auto both = after;
  for (auto const& column : leaving) both.columns.emplace_back(column).wip_limit = 0;
  if (!leaving.empty()) ctx.tx.put(both);
  // Consequences of a move may bring other tasks into a removed column, so it runs until a round finds none.
  Departures departures;
  std::size_t departed = 0;
  do {
    departed = departures.size();
    for (auto const& column : leaving) {
      auto const target = plan.targets.find(column.name);
      auto const* now = target == plan.targets.end() ? nullptr : core::find_column(after, target->second);
      bool const renamed =
          now && std::ranges::find(before.columns, now->name, &Column::name) == before.columns.end();
      ANDON_CHECK(renamed ? rename_tasks(ctx, both, column.name, *now, departures)
                          : empty_column(ctx, both, column, plan, departures));
    }
  } while (departures.size() > departed);
  return {};
}

void tell_former_columns(OperationContext& ctx, core::Board const& before, core::Board const& after,
                         ColumnPlan const& plan) {
  for (auto const& column : before.columns) {
    auto const same = [&](Column const& now) { return now.name == column.name && now.stage == column.stage; };
    if (std::ranges::any_of(after.columns, same)) continue;
    auto const target = plan.targets.find(column.name);
    tell_former(ctx, after, column, target == plan.targets.end() ? column.name : target->second);
  }
}

/// Tasks whose column became an end, or is none any more, with all that follows from it.
Result<void> restage(OperationContext& ctx, core::Board const& board, Column const& before,
                     Column const& after) {
  if (core::is_terminal(before.stage) == core::is_terminal(after.stage)) return {};
  store::TaskFilter filter;
  filter.board = board.id;
  filter.statuses = {after.name};
  filter.archived = true;
  store::Page page;
  for (;;) {
    ANDON_TRY(auto const found, ctx.tx.list(filter, page));
    for (auto const& task : found.tasks) {
      Change change{task, board};
      change.before.stage = before.stage;
      place(change, after, ctx.now);
      save(ctx, change, EventKind::task_edited, {{"stage", std::string{core::to_text(after.stage)}}});
    }
    if (found.next.empty()) return {};
    page.cursor = found.next;
  }
}

/// Blocked tasks go back to where their column is now.
Result<void> redirect_blocked(OperationContext& ctx, core::Board const& board, ColumnPlan const& plan) {
  store::TaskFilter filter;
  filter.board = board.id;
  filter.blocked = true;
  store::Page page;
  for (;;) {
    ANDON_TRY(auto const found, ctx.tx.list(filter, page));
    for (auto task : found.tasks) {
      auto const target = find_by_name(plan.targets, task.state.returns_to);
      if (target == plan.targets.end() || target->second == task.state.returns_to) continue;
      task.state.returns_to = target->second;
      ctx.tx.put(task);
    }
    if (found.next.empty()) return {};
    page.cursor = found.next;
  }
}

bool goes(Column const& column) { return !column.goes_to.empty(); }

/// A column that goes is none of those that somebody names when he changes a board.
Columns that_stay(core::Board const& board, Columns columns) {
  std::erase_if(columns, [&](Column const& column) {
    auto const* known = core::find_column(board, column.name);
    return known && known->name == column.name && goes(*known);
  });
  for (auto& column : columns) {
    column.goes_to.clear();
    column.renamed = false;
  }
  return columns;
}

/// Columns that an earlier change has not emptied yet go on going, to where their target is now.
Result<void> plan_going(core::Board const& board, ColumnPlan& plan) {
  for (auto const& column : board.columns) {
    if (!goes(column)) continue;
    auto const target = plan.targets.find(column.goes_to);
    if (target == plan.targets.end() || find(plan.columns, column.name) != plan.columns.end())
      return core::refuse(Code::kConflict,
                          "column \"" + column.name + "\" is still being emptied into \"" + column.goes_to +
                              "\"; try again when it is gone",
                          "columns");
    plan.going.emplace_back(column).goes_to = target->second;
    plan.targets[column.name] = target->second;
  }
  return {};
}

std::int64_t tasks_in(core::Load const& load, std::string const& column) {
  auto const count = load.columns.find(column);
  return count == load.columns.end() ? 0 : count->second;
}

bool has_many_tasks(OperationContext& ctx, core::Board const& board) {
  std::int64_t tasks = 0;
  for (auto const& [column, count] : ctx.tx.load(board.id).columns) tasks += count;
  return tasks > store::kMostAtOnce;
}

/// The limits as they are when all tasks have moved.
Result<void> check_room_for_all(OperationContext& ctx, core::Board const& before, core::Board const& after,
                                Columns const& leaving, ColumnPlan const& plan) {
  auto const load = ctx.tx.load(before.id);
  std::map<std::string, std::int64_t> entering;
  for (auto const& column : leaving)
    if (auto const target = plan.targets.find(column.name); target != plan.targets.end())
      entering[target->second] += tasks_in(load, column.name);
  for (auto const& [name, tasks] : entering) {
    auto const* column = core::find_column(after, name);
    if (!column || column->wip_limit == 0 || tasks == 0) continue;
    if (!core::find_column(before, name)) continue;  // the column under its new name
    if (tasks_in(load, name) + tasks > column->wip_limit)
      return core::refuse(Code::kWipLimitExceeded,
                          "column \"" + name + "\" has room for " + std::to_string(column->wip_limit) +
                              " tasks; " + std::to_string(tasks) + " more would come",
                          "move_tasks");
  }
  return {};
}

Result<void> check_no_work_is_lost(OperationContext& ctx, core::Board const& board, ColumnPlan const& plan) {
  for (auto const& run : ctx.tx.live_runs()) {
    auto const task = run.board == board.name ? ctx.tx.task(run.task) : std::nullopt;
    auto const target = task ? plan.targets.find(task->status) : plan.targets.end();
    if (target == plan.targets.end() || target->second == task->status) continue;
    auto const to = std::ranges::find(plan.columns, target->second, &Column::name);
    if (to != plan.columns.end() && to->stage != task->stage) ANDON_CHECK(check_can_leave(ctx, *task, *to));
  }
  return {};
}

/// Whether a column became an end, or is none any more.
bool ends_move(core::Board const& before, core::Board const& after) {
  return std::ranges::any_of(before.columns, [&](Column const& column) {
    auto const now = std::ranges::find(after.columns, column.name, &Column::name);
    return now != after.columns.end() && core::is_terminal(now->stage) != core::is_terminal(column.stage);
  });
}

/// Puts the new columns beside those that go, which are emptied from now on.
Result<void> begin_to_change(OperationContext& ctx, core::Board const& before, core::Board& after,
                             Columns const& leaving, ColumnPlan const& plan) {
  ANDON_CHECK(check_room_for_all(ctx, before, after, leaving, plan));
  ANDON_CHECK(check_no_work_is_lost(ctx, before, plan));
  Departures none;
  for (auto const& column : leaving) {
    auto const target = plan.targets.find(column.name);
    if (target == plan.targets.end()) {
      ANDON_CHECK(empty_column(ctx, before, column, plan, none));
      continue;
    }
    auto& going = after.columns.emplace_back(column);
    going.wip_limit = 0;
    going.holds_back.clear();
    going.goes_to = target->second;
    going.renamed = std::ranges::find(before.columns, target->second, &Column::name) == before.columns.end();
  }
  if (!leaving.empty() || ends_move(before, after)) after.settling = store::kMostAtOnce;
  ctx.tx.put(after);
  if (fill_ready_column(ctx, after) && !after.settling) {
    after.settling = store::kMostAtOnce;
    ctx.tx.put(after);
  }
  after = *ctx.tx.board(after.id);
  tell_former_columns(ctx, before, after, plan);
  return {};
}

}  // namespace

void tell_former(OperationContext& ctx, core::Board const& board, Column const& column,
                 std::string const& now) {
  core::Event event;
  event.kind = EventKind::board_changed;
  event.board = board.name;
  event.from = column.name;
  event.to = now;
  append_event(ctx, std::move(event),
               {{"what", "column changed"}, {"stage", std::string{core::to_text(column.stage)}}});
}

Result<void> check_can_leave(OperationContext& ctx, core::Task const& task, Column const& to) {
  if (!has_live_run(ctx, task) || core::is_in_work(to.stage)) return {};
  return core::refuse(Code::kConflict,
                      "task #" + std::to_string(task.id) + " of column \"" + task.status +
                          "\" is being worked on; release or kill it first",
                      "move_tasks");
}

Result<ColumnPlan> plan_columns(core::Board const& board, EditBoardRequest const& r) {
  ColumnPlan plan{that_stay(board, r.columns.value_or(board.columns)), {}, {}};
  if (r.columns) {
    auto had = that_stay(board, board.columns);
    ANDON_CHECK(rename(had, r.rename_columns));
  } else {
    ANDON_CHECK(rename(plan.columns, r.rename_columns));
  }
  ANDON_CHECK(remove(plan.columns, r.remove_columns));
  add(plan.columns, r.add_columns);
  ANDON_CHECK(limit(plan.columns, r.wip_limits));
  ANDON_CHECK(order(plan.columns, r.order_columns));
  for (auto const& column : that_stay(board, board.columns)) {
    auto const renamed = find_by_name(r.rename_columns, column.name);
    auto const kept = find(plan.columns, renamed == r.rename_columns.end() ? column.name : renamed->second);
    auto const moved = find_by_name(r.move_tasks, column.name);
    if (kept != plan.columns.end()) {
      plan.targets[column.name] = kept->name;
    } else if (moved != r.move_tasks.end()) {
      ANDON_TRY(auto const target, known(plan.columns, moved->second, "move_tasks"));
      plan.targets[column.name] = target->name;
    }
  }
  ANDON_CHECK(plan_going(board, plan));
  return plan;
}

Result<void> change_columns(OperationContext& ctx, core::Board const& before, core::Board& after,
                            ColumnPlan const& plan) {
  Columns leaving;
  std::ranges::copy_if(before.columns, std::back_inserter(leaving), [&](Column const& column) {
    return !goes(column) &&
           std::ranges::find(after.columns, column.name, &Column::name) == after.columns.end();
  });
  std::ranges::copy(plan.going, std::back_inserter(after.columns));
  if (has_many_tasks(ctx, before)) return begin_to_change(ctx, before, after, leaving, plan);
  ANDON_CHECK(empty_columns(ctx, before, after, leaving, plan));
  ctx.tx.put(after);
  for (auto const& column : before.columns)
    if (auto const now = std::ranges::find(after.columns, column.name, &Column::name);
        now != after.columns.end())
      ANDON_CHECK(restage(ctx, after, column, *now));
  if (!leaving.empty()) ANDON_CHECK(redirect_blocked(ctx, after, plan));
  tell_former_columns(ctx, before, after, plan);
  fill_ready_column(ctx, after);
  return {};
}

}  // namespace andon::service
