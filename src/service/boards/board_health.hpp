#pragma once

#include <string>

#include "core/model/board.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// What a planner must know of a board, as short Markdown of a few KiB: how full its columns are, and of the
/// last day what came and went, what failed and why, and what has been in work for longest.
std::string board_health(OperationContext& ctx, core::Board const& board);

}  // namespace andon::service
