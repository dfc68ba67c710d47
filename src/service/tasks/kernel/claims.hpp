#pragma once

#include "service/tasks/kernel/change.hpp"

namespace andon::service {

/// Refuses a name that nobody can hold a claim under.
core::Result<void> check_holder_name(std::string const& name);
/// Refuses what a claim for a name refuses, and makes the change; writes nothing.
core::Result<void> prepare_claim(OperationContext& ctx, Change& change, std::string const& name);

/// The treatment of unfinished dependencies by a claim: it is refused, or accepted with a warning for a
/// person who moves the task.
enum class OpenDependencies { refuse, accept };
/// A registered worker begins at once; anybody else has looked at the task.
OpenDependencies open_dependencies_for(OperationContext& ctx, std::string const& name);
/// Takes a claim for a name on an open change, after every rule was checked.
core::Result<void> take_claim(OperationContext& ctx, Change& change, std::string const& name,
                              OpenDependencies open = OpenDependencies::refuse);
/// The refusal to enter a column, or to change a task in it, without a claim.
core::Error claim_required(std::string const& column);
/// The time that the claim of a run lives without a renewal.
inline constexpr core::Duration kSupervisedLease = std::chrono::seconds{60};
/// The time that a claim of the task lives without a renewal.
core::Duration lease_of(core::Board const& board, core::Task const& task);
/// Refuses `WORKER_BUSY` when the worker holds as many tasks as it can, this one not counted.
core::Result<void> check_capacity(OperationContext& ctx, core::Worker const& worker, core::TaskId but);
/// Like `check_capacity`, for the registered worker that holds a task which begins to count, for example
/// because it left the backlog.
core::Result<void> check_holder(OperationContext& ctx, Change const& change);
/// Whether an agent that Andon started for the task has not ended yet, whoever holds the task now.
bool has_live_run(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
