#include "store/sql/session/list_plan.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/boards/load.hpp"
#include "core/model/service_class.hpp"
#include "core/text/names.hpp"
#include "store/sql/rows/task_row.hpp"
#include "store/sql/session/list_filter.hpp"

namespace andon::store::sql {
namespace {

using enum TaskOrder;

Query const kNextLane{"next_lane"};
Query const kByColumn{"walk_by_column"};
Query const kWalkPick{"walk_pick"};

/// The index that has an order, and whether the order has one part per column or one per board.
struct WalkRow {
  TaskOrder order;
  Query walk;
  bool per_column;
};
std::array<WalkRow, 8> const kWalks{{{id, Query{"walk_by_column"}, true},
                                     {title, Query{"walk_by_title"}, false},
                                     {status, Query{"walk_by_column"}, true},
                                     {priority, Query{"walk_by_priority"}, false},
                                     {created, Query{"walk_by_creation"}, false},
                                     {updated, Query{"walk_by_update"}, true},
                                     {due, Query{"walk_by_due"}, false},
                                     {pick, Query{"walk_aside"}, true}}};
WalkRow const& walk_of(TaskOrder order) { return kWalks[static_cast<std::size_t>(order)]; }

/// Values that usually leave few tasks come first.
std::array<Narrowing, 9> const kNarrowings{{
    {[](auto const& f) { return f.parent.has_value(); }, Query{"walk_by_parent"}, Query{"walk_by_parent"},
     "t.id"},
    {[](auto const& f) { return !f.claimed_by.empty(); }, Query{"walk_by_holder"}, Query{"walk_by_holder"},
     "t.id"},
    {[](auto const& f) { return f.claimed == true; }, Query{"walk_claimed"}, Query{"walk_claimed"}, "t.id"},
    {[](auto const& f) { return f.blocked == true; }, Query{"walk_blocked"}, Query{"walk_blocked"}, "t.id"},
    {[](auto const& f) { return f.open_deps == true; }, Query{"walk_with_open_deps"},
     Query{"walk_with_open_deps"}, "t.id"},
    {[](auto const& f) { return !f.tag.empty(); }, Query{"probe_by_tag"}, Query{"walk_by_tag"}, "g.task"},
    {[](auto const& f) { return !f.class_.empty() && !core::same_name(f.class_, core::kStandard); },
     Query{"walk_by_class"}, Query{"walk_by_class"}, "t.id"},
    {[](auto const& f) { return !f.assignee.empty(); }, Query{"walk_by_assignee"}, Query{"walk_by_assignee"},
     "t.id"},
    {[](auto const& f) { return !f.role.empty(); }, Query{"walk_by_role"}, Query{"walk_by_role"}, "t.id"},
}};

/// Counts the tasks of a narrowing, up to one more than `kFew`.
std::int64_t count_of(Connection& db, TaskFilter const& filter, Narrowing const& by) {
  auto row = db.assembled("SELECT count(*) FROM (SELECT 1 " + db.text(by.probe) + "LIMIT $50) AS counted");
  bind_filter(row, filter);
  row.bind(50, kFew + 1);
  return row.step() ? row.integer(0) : 0;
}

bool leaves_out(TaskFilter const& filter, core::Board const& board, std::string const& column) {
  auto const stage = core::stage_of(board, column);
  if (!filter.statuses.empty() && std::ranges::find(filter.statuses, column) == filter.statuses.end())
    return true;
  if (!filter.stages.empty() && std::ranges::find(filter.stages, stage) == filter.stages.end()) return true;
  return stage == core::Stage::archived && !shows_archived(filter);
}

/// Adds the walks of a column in pick order: pickable tasks are stored per lane, all others together.
void add_pickable(Connection& db, std::vector<Walk>& out, Walk walk) {
  walk.from = kWalkPick;
  out.push_back(walk);
  for (;;) {
    auto row = db.query(kNextLane, walk.board, walk.column, walk.queue_key);
    if (!row.step() || row.is_null(0)) return;
    walk.queue_key = row.text(0);
    out.push_back(walk);
  }
}

Walk column_walk(Query const& from, std::vector<std::string> terms, Columns const& in, std::string column) {
  return {from, std::move(terms), {}, in.board->id, std::move(column), {}, false};
}

void add_column(Connection& db, std::vector<Walk>& out, TaskOrder order, Columns const& in,
                std::string const& column) {
  auto walk = column_walk(walk_of(order).walk, order_terms(db, order), in, column);
  if (order == status) {
    walk.beginning = {std::int64_t{engine::rank_of_column(*in.board, column)}, column};
    walk.terms = {"t.id"};
  }
  out.push_back(walk);
  if (order == pick) add_pickable(db, out, std::move(walk));
}

void add_board(Connection const& db, std::vector<Walk>& out, TaskFilter const& filter, TaskOrder order,
               Columns const& in) {
  if (in.filled.empty()) return;
  for (bool const archived : {false, true})
    if (!archived || shows_archived(filter))
      out.push_back({walk_of(order).walk, order_terms(db, order), {}, in.board->id, {}, {}, archived});
}

}  // namespace

Columns columns_for(TaskFilter const& filter, core::Board const& board, core::Load const& load) {
  Columns out{&board, {}};
  for (auto const& [column, n] : load.columns)
    if (n > 0 && !leaves_out(filter, board, column)) out.filled.emplace_back(column, n);
  return out;
}

std::optional<Narrowed> narrowest(Connection& db, TaskFilter const& filter) {
  std::optional<Narrowed> out;
  for (auto const& by : kNarrowings) {
    if (!by.is_asked(filter)) continue;
    if (count_of(db, filter, by) <= kFew) return Narrowed{&by, true};
    if (!out) out = Narrowed{&by, false};
  }
  return out;
}

std::vector<Walk> walks_of(Connection& db, TaskFilter const& filter, TaskOrder order,
                           std::vector<Columns> const& boards) {
  std::vector<Walk> out;
  for (auto const& in : boards) {
    if (!walk_of(order).per_column) {
      add_board(db, out, filter, order, in);
      continue;
    }
    for (auto const& [column, n] : in.filled) add_column(db, out, order, in, column);
  }
  return out;
}

std::vector<Walk> walks_of_columns(std::vector<Columns> const& boards) {
  std::vector<Walk> out;
  for (auto const& in : boards)
    for (auto const& [column, n] : in.filled) out.push_back(column_walk(kByColumn, {"t.id"}, in, column));
  return out;
}

bool walks_columns(TaskOrder order) { return walk_of(order).per_column; }

}  // namespace andon::store::sql
