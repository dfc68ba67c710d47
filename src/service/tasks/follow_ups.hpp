#pragma once

#include "service/tasks/change.hpp"

namespace andon::service {

/// Applies the consequences of a saved change, in the same transaction: dependent tasks learn that it is done
/// or open again, its parent's progress changes, and a finished task's chain becomes tasks, exactly once.
void follow_up(OperationContext& ctx, Change const& change);

/// Tells everybody that the progress of a parent, if there is one, is another. A parent that completes itself
/// moves the progress of its own parent, and so on.
void update_progress(OperationContext& ctx, std::optional<core::TaskId> parent);

/// Recounts the open dependencies of a task from its list.
std::int64_t open_dependencies(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
