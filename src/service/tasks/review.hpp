#pragma once

#include "core/model/run.hpp"
#include "service/tasks/change.hpp"

namespace andon::service {

/// The role that reviews a board's tasks; empty where a person or the checks do.
std::string_view reviewer_of(core::Board const& board);

/// Whether a task of that board needs a verdict before it is done.
bool needs_review(core::Board const& board, core::Task const& task);

/// The task a verdict is about, open for changing: the named one, or the one that the named review task is
/// about. A run may judge only what its own review task is about.
core::Result<Change> open_for_verdict(OperationContext& ctx, TaskRef const& ref);

/// On a board with `review_by: role:NAME`: creates a review task for that role when a task enters review,
/// unless one is open, and closes the open one when the task leaves review.
void follow_review(OperationContext& ctx, Change const& change);

/// Accepts the work of a run that ended well, on a board with `review_by: checks`, when every check of its
/// task is green; else a person is asked. The actor is `system`.
void judge_work(OperationContext& ctx, core::Run const& run);

/// Whether the task that a review task is about has left review since, for all that it may be there again.
bool has_verdict(OperationContext& ctx, core::Task const& review);

/// Whether a task is a review whose work waits for the verdict of nobody else.
bool owes_verdict(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
