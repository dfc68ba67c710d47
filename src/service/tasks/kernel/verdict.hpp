#pragma once

#include "service/tasks/kernel/change.hpp"

namespace andon::service {

/// The task that a verdict is about, open for changing: the named one, or the one that the named review task
/// is about. A run may judge only what its own review task is about.
core::Result<Change> open_for_verdict(OperationContext& ctx, TaskRef const& ref);

/// The open review task of a task. A reviewer who has reported gives no further verdict.
std::optional<core::TaskId> open_review_of(OperationContext& ctx, core::TaskId id);

/// True when a worker is to judge the work of the task: it has an open review task that a worker may take.
/// Then no person is needed.
bool has_reviewer(OperationContext& ctx, core::Board const& board, core::Task const& task);

/// Whether the task that a review task is about has left review since, for all that it may be there again.
bool has_verdict(OperationContext& ctx, core::Task const& review);

/// Whether a task is a review whose work waits for the verdict of nobody else.
bool owes_verdict(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
