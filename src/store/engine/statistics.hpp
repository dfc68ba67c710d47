#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/boards/load.hpp"
#include "store/contract/query.hpp"
#include "store/engine/last_numbers.hpp"
#include "store/engine/tallies.hpp"

namespace andon::store::engine {

/// Tasks of a board that were finished at or after `since`, in the order of completion or newest first.
/// Tasks archived unfinished do not count.
struct AskFinished {
  core::BoardId board = 0;
  core::Instant since{};
  std::size_t most = 0;
  bool newest_first = false;
};
/// All moves of the tasks, by task in the given order and by number.
struct AskMovesOf {
  std::vector<core::TaskId> const& tasks;
};
/// The columns of the board that were renamed, removed or given another stage at or after `since`, in order.
struct AskFormerColumns {
  std::string_view board;
  core::Instant since{};
};
/// The time of the last move of a task of the board into or out of one of the columns.
struct AskLastMove {
  std::string_view board;
  std::vector<std::string> const& columns;
};
/// Pairs of a task in these columns and a task it waits for, in any order.
struct AskDependencies {
  core::BoardId board = 0;
  std::vector<std::string> columns{};
  std::size_t limit = 0;
};
/// The names of all assignees, in order; one index probe per name.
struct AskAssignees {};
/// The moves with numbers above `after` up to `until` of tasks that were started or finished.
struct AskTraced {
  core::EventSeq after = 0;
  core::EventSeq until = 0;
};
/// The number of tasks that meet the filter.
struct AskCount {
  TaskFilter const& filter;
};

// The counts that the engine has stored: see `CountChanges`
struct AskMoveTotals {
  core::BoardId board = 0;
  core::Instant from{};
};
struct AskFinishedTotals {
  core::BoardId board = 0;
  core::Instant from{};
};
struct AskSpreads {
  core::BoardId board = 0;
  std::int64_t first_day = 0;
};
struct AskRunTotals {
  std::string_view board;
  core::Instant from{};
};
/// The counts of the first `most` values of a facet.
struct AskTallies {
  core::BoardId board = 0;
  Facet facet{};
  std::int64_t today = 0;
  std::size_t most = 0;
};
/// Tasks per column and unfinished tasks per class of a board.
struct AskLoad {
  core::BoardId board = 0;
};
struct AskLastNumbers {};
/// The number of the last event alone.
struct AskLastEvent {};
using StatisticsQuestion =
    std::variant<AskFinished, AskMovesOf, AskFormerColumns, AskLastMove, AskDependencies, AskAssignees,
                 AskTraced, AskCount, AskMoveTotals, AskFinishedTotals, AskSpreads, AskRunTotals, AskTallies,
                 AskLoad, AskLastNumbers, AskLastEvent>;

/// A move of a task that is on a board now.
struct TracedMove {
  core::EventSeq seq = 0;
  core::BoardId board = 0;
  std::optional<core::Instant> completed{};
};

struct SpreadTotal {
  bool is_cycle = false;
  int bucket = 0;
  std::int64_t n = 0;
};
using TallyRows = std::map<std::pair<TallyValue, std::string>, Tally>;  ///< by value and column

/// An answer; only the members that were asked for are filled.
struct Statistics {
  std::vector<Finished> finished{};
  std::vector<ColumnMove> moves{};
  std::vector<FormerColumn> columns{};
  std::vector<std::pair<core::TaskId, core::TaskId>> dependencies{};
  std::vector<std::string> assignees{};
  std::optional<core::Instant> last_move{};
  std::vector<TracedMove> traced{};
  std::int64_t count = 0;
  std::vector<MoveTotal> move_totals{};          ///< by time
  std::vector<FinishedTotal> finished_totals{};  ///< by time
  std::vector<SpreadTotal> spreads{};            ///< in no order, as the next
  std::vector<RunTotal> run_totals{};
  TallyRows tallies{};
  core::Load load{};
  LastNumbers numbers{};
  std::optional<TallyValue> tallies_end{};  ///< the first value that is not among the tallies
};

}  // namespace andon::store::engine
