#pragma once

#include <optional>
#include <string_view>

#include "store/engine/counts.hpp"
#include "store/sql/database/connection.hpp"

namespace andon::store::sql {

/// The last event, task and run that the totals include.
struct Settled {
  core::EventSeq seq = 0;
  std::int64_t task = 0, run = 0;
};
Settled settled(Connection& db);
void set_settled(Connection& db, Settled const& to);

std::string_view name_of(Facet facet);
/// The key in a row that begins with board, facet, value and column.
engine::TallyKey tally_key_in(Statement const& row);
engine::TallyValue tally_value_in(Statement const& row, int column);

/// The task in the columns of a row from `first` on; nothing when those columns are null. The columns are
/// those of `tally_stale_tasks`.
std::optional<engine::TalliedTask> tallied_in(Statement const& row, int first);
inline constexpr int kTalliedColumns = 11;
/// The finished task that six columns of a row, from `first` on, describe.
engine::FinishedTask finished_task_in(Statement const& row, int first);

engine::UncountedMoves read_moves(Connection& db, core::EventSeq after, core::EventSeq until);
std::vector<engine::Recount<engine::FinishedTask>> read_changed_finished(Connection& db);
std::vector<engine::Recount<engine::TalliedTask>> read_changed_tallied(Connection& db);

/// Adds the changes to the stored totals and removes totals that become empty.
void add_to_totals(Connection& db, engine::FlowTotals const& changes);
void add_to_tallies(Connection& db, engine::TallyMap const& changes);

}  // namespace andon::store::sql
