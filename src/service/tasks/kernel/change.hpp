#pragma once

#include <optional>

#include "core/model/event.hpp"
#include "core/tasks/change.hpp"
#include "core/tasks/claim.hpp"
#include "service/event_log.hpp"
#include "service/requests.hpp"

namespace andon::service {

using core::Change;
using core::place;

/// Loads a task for a change by the engine; nothing where it or its board is gone.
std::optional<Change> load_change(OperationContext& ctx, core::TaskId id);
/// Loads a task for changing it: `If-Match` holds, a run touches only its own task.
core::Result<Change> open(OperationContext& ctx, TaskRef const& ref);
/// Like `open`, but a run may also open tasks other than its own: for notes and verdicts.
core::Result<Change> open_foreign(OperationContext& ctx, TaskRef const& ref);
/// Like `open`, after the claim was checked as well.
core::Result<Change> open_claimed(OperationContext& ctx, TaskRef const& ref, Proof const& proof);
/// Checks the claim on an open change under the caller's name and rights.
core::Result<void> check_proof(OperationContext& ctx, Change& change, Proof const& proof);

/// Writes the change with its event, and nothing that follows from it; `save` does both.
void write(OperationContext& ctx, Change& change, core::EventKind kind, Facts const& facts = {});
/// The task for an answer. An expired claim is left out, except on a board of files, whose files keep the
/// last holder.
core::Task shown(OperationContext& ctx, core::Task task);

}  // namespace andon::service
