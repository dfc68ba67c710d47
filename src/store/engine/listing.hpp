#pragma once

#include <string>
#include <vector>

#include "core/boards/load.hpp"
#include "core/model/board.hpp"
#include "store/contract/query.hpp"
#include "store/engine/task_row.hpp"

namespace andon::store::engine {

/// A board and its counts, from which a session can tell how long its walks are.
struct BoardLoad {
  core::Board const* board = nullptr;
  core::Load load;
};

struct ListRequest {
  TaskFilter const& filter;
  Page const& page;
  std::vector<BoardLoad> boards;  ///< all boards in which the filter can find tasks
};
struct ListRows {
  std::vector<TaskRow> rows;
  std::string next{};  ///< cursor of the next page; empty at the end
};

}  // namespace andon::store::engine
