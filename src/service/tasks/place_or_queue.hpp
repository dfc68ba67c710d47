#pragma once

#include "service/tasks/change.hpp"

namespace andon::service {

/// Refuses an act of a caller that would bring the task into a full column, or over the limit of its class.
core::Result<void> check_room(OperationContext& ctx, Change const& change, core::Column const& column);
/// Like `check_room` above, for the column in which the task was placed.
core::Result<void> check_room(OperationContext& ctx, Change const& change);
/// Like `check_room` above, for the board's column for `stage`.
core::Result<void> check_room(OperationContext& ctx, Change const& change, core::Stage stage);

/// Puts the task where the engine's own act leads: a recovery, a retry, the end of a run. Such an act cannot
/// be refused and no task may get lost, so work that finds the ready column full waits, approved, in the
/// backlog stage until there is room; anywhere else it enters, and `limit.reached` tells that the limit is
/// exceeded.
void place_or_queue(OperationContext& ctx, Change& change, core::Stage stage);
void place_or_queue(OperationContext& ctx, Change& change, core::Column const& column);

}  // namespace andon::service
