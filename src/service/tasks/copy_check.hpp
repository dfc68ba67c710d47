#pragma once

#include <vector>

#include "service/reference.hpp"
#include "service/tasks/kernel/standing_task.hpp"

namespace andon::service {

// The rule for a new task that is like a standing one: agents and automations get no second task, and people
// are warned.

/// The tasks of which the caller says that the new task is no copy; at most 20.
core::Result<std::vector<core::TaskId>> not_copied(OperationContext& ctx, std::vector<TaskRef> const& refs);

/// True when the caller may not create copies.
bool is_kept_from_copies(OperationContext const& ctx);

/// The answer to an agent: the standing task for an equal one, and the refusal `LIKELY_COPY` for a near copy.
core::Result<core::Task> answer_to_copy(OperationContext& ctx, StandingTask const& standing);

/// Keeps the pair for people to look at, and warns them in the answer.
core::Task with_suspicion(OperationContext& ctx, core::Task task, StandingTask const& standing);

}  // namespace andon::service
