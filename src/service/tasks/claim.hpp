#pragma once

#include "service/requests.hpp"
#include "service/tasks/change.hpp"

namespace andon::service {

struct ClaimTaskRequest {
  TaskRef id;
  std::string by;
  std::optional<std::int64_t> epoch;
  bool force = false;
};
void describe(auto& field, ClaimTaskRequest const*) {
  field(&ClaimTaskRequest::id, kIdField);
  field(&ClaimTaskRequest::by, "by", "Who claims it; the caller when left out");
  field(&ClaimTaskRequest::epoch, kEpochField);
  field(&ClaimTaskRequest::force, kForceField);
}

core::Result<core::Task> claim_task(OperationContext& ctx, ClaimTaskRequest const& request);
/// Refuses what a claim for a name refuses, and makes the change; writes nothing.
core::Result<void> prepare_claim(OperationContext& ctx, Change& change, std::string const& name);
/// Ends a claim. Anybody may release a self-reported claim, a run only its own; a supervised one ends when
/// its agent has been stopped.
core::Result<core::Task> release_task(OperationContext& ctx, HeldTaskRequest const& request);

struct HeartbeatRequest {
  TaskRef id;
  std::int64_t epoch = 0;
};
void describe(auto& field, HeartbeatRequest const*) {
  field(&HeartbeatRequest::id, kIdField);
  field(&HeartbeatRequest::epoch, "epoch", "Fencing number of the claim", core::required);
}

/// The facts that a holder needs.
struct Heartbeat {
  std::optional<core::Instant> claim_expires;
  bool cancelled = false;
  bool paused = false;
  std::string priority;
  std::optional<core::Instant> progress;
  bool reported = false;
};
void describe(auto& field, Heartbeat const*) {
  field(&Heartbeat::claim_expires, "claim_expires", "Until when the claim lives now");
  field(&Heartbeat::cancelled, "cancelled", "Stop: the run is being stopped", core::always);
  field(&Heartbeat::paused, "paused", "Dispatch of the board is paused", core::always);
  field(&Heartbeat::priority, "priority", "The task's priority now", core::always);
  field(&Heartbeat::progress, "progress",
        "When the run last got on: printed, called a tool, wrote to the board");
  field(&Heartbeat::reported, "reported", "The agent has reported its work and is to end", core::set_only);
}

core::Result<Heartbeat> heartbeat(OperationContext& ctx, HeartbeatRequest const& request);

/// The treatment of unfinished dependencies by a claim: it is refused, or accepted with a warning for a
/// person who moves the task.
enum class OpenDependencies { refuse, accept };
/// A registered worker begins at once; anybody else has looked at the task.
OpenDependencies open_dependencies_for(OperationContext& ctx, std::string const& name);
/// Takes a claim for a name on an open change, after every rule was checked.
core::Result<void> take_claim(OperationContext& ctx, Change& change, std::string const& name,
                              OpenDependencies open = OpenDependencies::refuse);
/// Ends the claim; where the board is strict the work goes to where the next one may pick it up.
void apply_release(OperationContext& ctx, Change& change);
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
/// The dependencies that are neither finished nor deleted.
std::vector<core::TaskId> open_dependency_ids(OperationContext& ctx, core::Task const& task);
/// Refuses `DEPENDENCY_OPEN`, naming what the task waits for.
core::Result<void> check_dependencies_closed(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
