#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "store/contract/query.hpp"
#include "store/engine/task_row.hpp"

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
using StatisticsQuestion =
    std::variant<AskFinished, AskMovesOf, AskFormerColumns, AskDependencies, AskAssignees, AskTraced>;

/// A move of a task that is on a board now.
struct TracedMove {
  core::EventSeq seq = 0;
  core::BoardId board = 0;
  std::optional<core::Instant> completed{};
};

/// An answer; only the member that was asked for is filled.
struct Statistics {
  std::vector<Finished> finished{};
  std::vector<ColumnMove> moves{};
  std::vector<FormerColumn> columns{};
  std::vector<std::pair<core::TaskId, core::TaskId>> dependencies{};
  std::vector<std::string> assignees{};
  std::vector<TracedMove> traced{};
};

}  // namespace andon::store::engine
