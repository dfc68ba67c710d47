#include "store/sql/session/count_rows.hpp"

#include <algorithm>
#include <array>

#include "core/model/task.hpp"
#include "store/sql/rows/details.hpp"

namespace andon::store::sql {
namespace {

Query const kFlowSettled{"flow_settled"};
Query const kSetSettled{"flow_set_settled"};
Query const kFlowEvents{"flow_events"};
Query const kColumnChanges{"column_changes"};
Query const kFlowStaleTasks{"flow_stale_tasks"};
Query const kTallyStaleTasks{"tally_stale_tasks"};

/// In the order of `Facet`.
constexpr std::array<std::string_view, 7> kFacetNames{"assignee", "tag",  "class", "priority",
                                                      "status",   "role", "parent"};
/// The columns of a task in `tally_stale_tasks`.
enum TalliedColumn {
  kBoard,
  kStatus,
  kStage,
  kBlocked,
  kDue,
  kPriority,
  kClass,
  kAssignee,
  kRole,
  kParent,
  kDetails
};

std::vector<std::string> tags_in(std::string_view details) {
  core::Task task;
  read_details(details, task);
  return std::move(task.tags);
}

}  // namespace

Settled settled(Connection& db) {
  auto row = db.query(kFlowSettled);
  return row.step() ? Settled{core::EventSeq{row.integer(0)}, row.integer(1), row.integer(2)} : Settled{};
}

void set_settled(Connection& db, Settled const& to) { db.run(kSetSettled, to.seq, to.task, to.run); }

std::string_view name_of(Facet facet) { return kFacetNames[static_cast<std::size_t>(facet)]; }

engine::TallyValue tally_value_in(Statement const& row, int column) {
  if (row.is_text(column)) return row.text(column);
  return row.integer(column);
}

engine::TallyKey tally_key_in(Statement const& row) {
  auto const facet = std::ranges::find(kFacetNames, row.view(1)) - kFacetNames.begin();
  return {core::BoardId{row.integer(0)}, static_cast<Facet>(facet), tally_value_in(row, 2), row.text(3)};
}

std::optional<engine::TalliedTask> tallied_in(Statement const& row, int first) {
  if (row.is_null(first + kBoard)) return std::nullopt;
  engine::TalliedTask task{core::BoardId{row.integer(first + kBoard)}, row.text(first + kStatus)};
  task.stage = core::parse_stage(row.view(first + kStage)).value_or(core::Stage::ready);
  task.blocked = row.integer(first + kBlocked) != 0;
  if (!row.is_null(first + kDue)) task.due = row.integer(first + kDue);
  task.priority = row.text(first + kPriority);
  task.class_ = row.text(first + kClass);
  task.assignee = row.text(first + kAssignee);
  task.role = row.text(first + kRole);
  task.parent = row.integer(first + kParent);
  if (!row.is_null(first + kDetails)) task.tags = tags_in(row.view(first + kDetails));
  return task;
}

engine::FinishedTask finished_task_in(Statement const& row, int first) {
  return {core::BoardId{row.integer(first)},
          row.instant(first + 1),
          row.maybe_instant(first + 2),
          row.instant(first + 3),
          row.text(first + 4),
          row.text(first + 5)};
}

engine::UncountedMoves read_moves(Connection& db, core::EventSeq after, core::EventSeq until) {
  engine::UncountedMoves out;
  for (auto row = db.query(kFlowEvents, after, until); row.step();) {
    auto const& move = out.moves.emplace_back(engine::UncountedMove{
        row.instant(1), row.text(2), row.text(3), row.text(4), row.text(5), row.text(6), row.text(7)});
    auto const [found, is_new] = out.column_changes.try_emplace(move.board);
    if (!is_new) continue;
    for (auto change = db.query(kColumnChanges, move.board, engine::quarter_of(move.at)); change.step();)
      found->second.push_back(change.instant(0));
  }
  return out;
}

std::vector<engine::Recount<engine::FinishedTask>> read_changed_finished(Connection& db) {
  constexpr int kAsItIs = 6, kWasAbandoned = 12, kIsAbandoned = 13;
  std::vector<engine::Recount<engine::FinishedTask>> out;
  for (auto row = db.query(kFlowStaleTasks); row.step();) {
    auto& change = out.emplace_back();
    if (!row.is_null(3) && row.integer(kWasAbandoned) == 0) change.before = finished_task_in(row, 0);
    if (!row.is_null(kAsItIs + 3) && row.integer(kIsAbandoned) == 0)
      change.now = finished_task_in(row, kAsItIs);
  }
  return out;
}

std::vector<engine::Recount<engine::TalliedTask>> read_changed_tallied(Connection& db) {
  std::vector<engine::Recount<engine::TalliedTask>> out;
  for (auto row = db.query(kTallyStaleTasks); row.step();)
    out.push_back({tallied_in(row, 0), tallied_in(row, kTalliedColumns)});
  return out;
}

}  // namespace andon::store::sql
