#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/boards/wip.hpp"
#include "core/model/board.hpp"
#include "store/sql/session/list_walk.hpp"

namespace andon::store::sql {

/// The columns of a board in which a list can find tasks, with the number of tasks in each.
struct Columns {
  core::Board const* board = nullptr;
  std::vector<std::pair<std::string, std::int64_t>> filled;
};

/// The columns of the board that hold tasks and that the filter does not exclude.
Columns columns_for(TaskFilter const& filter, core::Board const& board, core::Load const& load);

/// A value of the filter by which an index finds tasks.
struct Narrowing {
  bool (*is_asked)(TaskFilter const&);
  Query probe;          ///< reads the index only
  Query walk;           ///< with the task as `t`
  std::string_view id;  ///< the expression for the number of the task
};
/// At most this many tasks are sorted in memory.
inline constexpr std::int64_t kFew = 4'000;
struct Narrowed {
  Narrowing const* by = nullptr;
  bool is_few = false;
};
/// The filter value that leaves few tasks, else the first one that an index has; nothing when no index has
/// any.
std::optional<Narrowed> narrowest(Connection& db, TaskFilter const& filter);

/// All walks that together make up a list in an order.
std::vector<Walk> walks_of(Connection& db, TaskFilter const& filter, TaskOrder order,
                           std::vector<Columns> const& boards);
/// One walk per column by number, for lists that are sorted in memory.
std::vector<Walk> walks_of_columns(std::vector<Columns> const& boards);
/// Whether the walks of this order skip columns that were not asked for.
bool walks_columns(TaskOrder order);

}  // namespace andon::store::sql
