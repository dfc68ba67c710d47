#pragma once

#include <string>

#include "core/model/board.hpp"
#include "core/model/event.hpp"
#include "core/tasks/claim.hpp"
#include "core/tasks/lifecycle.hpp"
#include "service/event_log.hpp"
#include "service/requests.hpp"

namespace andon::service {

/// A task on its way from what it was to what it becomes.
struct Change {
  core::Task before;
  core::Task after;
  core::Board const& board;
  std::string body;  ///< new body, stored only when `has_body`
  bool has_body = false;
  bool forced = false;     ///< a live claim of somebody else was overridden
  bool by_holder = false;  ///< the caller holds the task; its writes renew a self-reported claim
  bool moved = false;      ///< it entered another column; a column's new name moves nothing
};

/// Loads a task for changing it: `If-Match` holds, a run touches only its own task.
core::Result<Change> open(OperationContext& ctx, TaskRef const& ref);
/// Like `open`, but a run may also open tasks other than its own: for notes and verdicts.
core::Result<Change> open_foreign(OperationContext& ctx, TaskRef const& ref);
/// Like `open`, after the claim was checked as well.
core::Result<Change> open_claimed(OperationContext& ctx, TaskRef const& ref, Proof const& proof);
/// Checks the claim on an open change under the caller's name and rights.
core::Result<void> check_proof(OperationContext& ctx, Change& change, Proof const& proof);

/// Puts the task into a column: stage, timestamps, blocked mark. Does not check any rule.
void place(Change& change, core::Column const& column, core::Instant now);
/// Puts the task where `stage` lands on its board; it stays where it is when the board has no place for it.
void place(Change& change, core::Stage stage, core::Instant now);

/// Writes the change with its event, and nothing that follows from it.
void write(OperationContext& ctx, Change& change, core::EventKind kind, Facts const& facts = {});
/// Writes the change with its event and everything that follows from it: those that depend on it, its parent,
/// its chain. Returns the task as it is now.
core::Task save(OperationContext& ctx, Change& change, core::EventKind kind, Facts const& facts = {});
/// The task for an answer. An expired claim is left out, except on a board of files, whose files keep the
/// last holder.
core::Task shown(OperationContext& ctx, core::Task task);

}  // namespace andon::service
