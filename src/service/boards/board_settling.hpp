#pragma once

#include "service/operation_context.hpp"

namespace andon::service {

/// Whether a change of some board has still to be applied to tasks.
bool is_any_settling(OperationContext& ctx);

/// Applies changes of boards to a few of their tasks, so that the unit of work is a short one: derives them
/// anew, moves them out of columns that go, and draws what follows when their column became an end or is none
/// any more. What is done is kept with the board, so that any later unit goes on from there. True when there
/// is more to do.
bool settle_boards(OperationContext& ctx);

}  // namespace andon::service
