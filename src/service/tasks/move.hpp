#pragma once

#include "service/requests.hpp"
#include "service/tasks/change.hpp"

namespace andon::service {

struct MoveTaskRequest {
  TaskRef id;
  std::string status;
  std::optional<TaskRef> before;
  std::optional<TaskRef> after;
  std::string reason;
  std::string claim;
  std::optional<std::int64_t> epoch;
  bool force = false;
};
BOOST_DESCRIBE_STRUCT(MoveTaskRequest, (), (id, status, before, after, reason, claim, epoch, force))
inline constexpr std::array kMoveTaskFields{
    kIdField,
    core::Field{"status", "Column to move to", core::required},
    core::Field{"before", "Task that shall come after it in the column"},
    core::Field{"after", "Task that shall come before it in the column"},
    core::Field{"reason", "Why, for a column that means blocked"},
    kClaimField,
    kEpochField,
    kForceField};
constexpr auto const& fields(MoveTaskRequest const*) { return kMoveTaskFields; }

core::Result<core::Task> move_task(OperationContext& ctx, MoveTaskRequest const& request);

/// The column that a task is asked to go to. Refuses a status that its board does not have, before anything
/// is said about the task itself.
core::Result<core::Column const*> known_status(OperationContext& ctx, TaskRef const& ref,
                                               std::string const& status);

/// Checks every rule of entering a column, in the order of the contract, and places the task there.
core::Result<void> check_move(OperationContext& ctx, Change& change, std::string const& status,
                              Proof const& proof);

}  // namespace andon::service
