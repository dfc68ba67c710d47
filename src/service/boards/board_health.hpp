#pragma once

#include <string>

#include "core/model/board.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// A summary of a board for a planner, as short Markdown of a few KiB: how full its columns are, the
/// arrivals, departures and failures of the last day, and the tasks that have been in work for longest.
std::string board_health(OperationContext& ctx, core::Board const& board);

}  // namespace andon::service
