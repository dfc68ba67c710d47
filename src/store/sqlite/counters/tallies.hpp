#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/model/board.hpp"
#include "store/contract/query.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// The number of a parent task, or the text of any other facet.
using TallyValue = std::variant<std::int64_t, std::string>;

/// The counts of tasks with one value of a facet in one column, or changes of such counts, which may be
/// negative.
struct TallyCounts {
  std::int64_t n = 0;
  std::int64_t blocked = 0;
  std::map<std::int64_t, std::int64_t> due;  ///< unfinished tasks by due day
};
struct TallyKey {
  core::BoardId board = 0;
  Facet facet{};
  TallyValue value;
  std::string status;
  auto operator<=>(TallyKey const&) const = default;
};
using TallyMap = std::map<TallyKey, TallyCounts>;

std::string_view name_of(Facet facet);

/// Adds the task in the columns of a row from `first` on, `by` times; adds nothing when those columns are
/// null. The columns are those of `tally_stale_tasks`.
void tally_task(Statement const& row, int first, std::int64_t by, TallyMap& out);

/// The changes to the stored counts from tasks that changed since they were counted.
TallyMap pending_tallies(Connection& db);
/// Whether at least `most` tasks wait to be counted.
bool has_pending_tallies(Connection& db, std::int64_t most);
/// Adds the pending tallies to the stored counts.
void settle_tallies(Connection& db);

/// The number of counts that, with the pending tallies, differ from the tasks. Reads all counts and tasks.
std::int64_t wrong_tallies(Connection& db);

/// The counts of one facet of a board with the pending tallies, in the order of the values. Returns only the
/// first `most` values.
std::vector<Tally> read_tallies(Connection& db, core::BoardId board, Facet facet, std::int64_t today,
                                std::size_t most);

}  // namespace andon::store::sqlite
