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

/// The number of a parent, or the text of any other facet.
using TallyValue = std::variant<std::int64_t, std::string>;

/// Counts of what has one value of a facet in one column. Differences may be negative.
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

/// Adds a task as the columns of a row from `first` on describe it, `by` times; nothing for a row that is not
/// there. The columns are those of `tally_stale_tasks`.
void tally_task(Statement const& row, int first, std::int64_t by, TallyMap& out);

/// What tasks that are counted elsewhere than they stand change in the counts.
TallyMap pending_tallies(Connection& db);
/// Whether so many tasks wait to be counted.
bool has_pending_tallies(Connection& db, std::int64_t most);
/// Counts what waits.
void settle_tallies(Connection& db);

/// How many counts, with what waits, are not those of the tasks; reads all of them.
std::int64_t wrong_tallies(Connection& db);

/// The counts of one facet of a board, with what waits, in the order of the values. Only the first `most`
/// values.
std::vector<Tally> read_tallies(Connection& db, core::BoardId board, Facet facet, std::int64_t today,
                                std::size_t most);

}  // namespace andon::store::sqlite
