#pragma once

#include "service/operation_context.hpp"

namespace andon::service {

/// Whether a change of some board has still to be applied to tasks.
bool is_any_settling(OperationContext& ctx);

/// Applies changes of boards to a few of their tasks, so that the unit of work stays short: computes their
/// derived data again, moves them out of removed columns, and applies the consequences when their column
/// became an end or is no longer one. The board stores the progress, so that any later unit can continue.
/// True when there is more to do.
bool settle_boards(OperationContext& ctx);

}  // namespace andon::service
