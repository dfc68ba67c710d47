#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/boards/wip.hpp"
#include "core/model/board.hpp"
#include "store/sqlite/transaction/list_walk.hpp"

namespace andon::store::sqlite {

/// The columns of a board that a list can find tasks in, with how many each has.
struct Columns {
  core::Board const* board = nullptr;
  std::vector<std::pair<std::string, std::int64_t>> filled;
};

/// Those of the board that hold anything and that the filter does not leave out.
Columns columns_for(TaskFilter const& filter, core::Board const& board, core::Load const& load);

/// A value of the filter whose tasks an index has together.
struct Narrowing {
  bool (*is_asked)(TaskFilter const&);
  Query probe;          ///< from the index alone
  Query walk;           ///< with the task as `t`
  std::string_view id;  ///< what tells the number of the task
};
/// So many tasks are sorted in memory.
inline constexpr std::int64_t kFew = 4'000;
struct Narrowed {
  Narrowing const* by = nullptr;
  bool is_few = false;
};
/// The value that leaves least; nothing when the filter has none that an index knows.
std::optional<Narrowed> narrowest(Connection& db, TaskFilter const& filter);

/// All walks that make up a list in an order.
std::vector<Walk> walks_of(Connection& db, TaskFilter const& filter, TaskOrder order,
                           std::vector<Columns> const& boards);
/// One walk for each column, whatever the order.
std::vector<Walk> walks_of_columns(std::vector<Columns> const& boards);
/// Whether the walks of this order leave out columns that were not asked for.
bool walks_columns(TaskOrder order);

}  // namespace andon::store::sqlite
