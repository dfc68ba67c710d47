#pragma once

#include "service/requests.hpp"

namespace andon::core {

struct Column;
struct Change;
}  // namespace andon::core

namespace andon::service {

struct MoveTaskRequest {
  TaskRef id;
  std::string status;
  std::optional<TaskRef> before;
  std::optional<TaskRef> after;
  std::string reason;
  std::string claim;
  std::optional<core::Epoch> epoch;
  bool force = false;
};
void describe(auto& field, MoveTaskRequest const*) {
  field(&MoveTaskRequest::id, kIdField);
  field(&MoveTaskRequest::status, "status", "Column to move to", core::required);
  field(&MoveTaskRequest::before, "before", "Task that shall come after it in the column");
  field(&MoveTaskRequest::after, "after", "Task that shall come before it in the column");
  field(&MoveTaskRequest::reason, "reason", "Why, for a column that means blocked");
  field(&MoveTaskRequest::claim, kClaimField);
  field(&MoveTaskRequest::epoch, kEpochField);
  field(&MoveTaskRequest::force, kForceField);
}

core::Result<core::Task> move_task(OperationContext& ctx, MoveTaskRequest const& request);

/// The column that a task is asked to go to. Refuses a status that its board does not have, before anything
/// is said about the task itself.
core::Result<core::Column const*> known_status(OperationContext& ctx, TaskRef const& ref,
                                               std::string const& status);

/// Checks every rule of entering a column, in the order of the contract, and places the task there.
core::Result<void> check_move(OperationContext& ctx, core::Change& change, std::string const& status,
                              Proof const& proof, std::string const& reason = {});

}  // namespace andon::service
