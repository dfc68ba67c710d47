#pragma once

#include "core/model/verb.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/kernel/change.hpp"

namespace andon::service {

// The parts of an edit beside new values of fields, in the same unit of work: to take or end the claim, and
// to set or clear the blocked mark.

/// Refuses acts that exclude each other, and those that are not the caller's to do.
core::Result<void> check_acts(OperationContext const& ctx, EditTaskRequest const& request);
/// Whether any of them would change the task.
bool acts_on(EditTaskRequest const& request, core::Task const& task);
/// Refuses a change of an unclaimed task in a column that requires a claim, if the request wants this rule to
/// be applied.
core::Result<void> check_heeded(OperationContext const& ctx, EditTaskRequest const& request,
                                Change const& change);
/// Carries them out on an open change. When an agent must be stopped first, the answer is the verb it is
/// stopped for.
core::Result<std::optional<core::Verb>> apply_acts(OperationContext& ctx, EditTaskRequest const& request,
                                                   Change& change);
/// Tells the history of each that took place; the change itself was saved before.
void tell_acts(OperationContext& ctx, Change const& change);

}  // namespace andon::service
