#pragma once

#include "service/requests.hpp"

namespace andon::service {

struct ClaimTaskRequest {
  TaskRef id;
  std::string by;
  std::optional<core::Epoch> epoch;
  bool force = false;
};
void describe(auto& field, ClaimTaskRequest const*) {
  field(&ClaimTaskRequest::id, kIdField);
  field(&ClaimTaskRequest::by, "by", "Who claims it; the caller when left out");
  field(&ClaimTaskRequest::epoch, kEpochField);
  field(&ClaimTaskRequest::force, kForceField);
}

core::Result<core::Task> claim_task(OperationContext& ctx, ClaimTaskRequest const& request);
/// Ends a claim. Anybody may release a self-reported claim, a run only its own; a supervised one ends when
/// its agent has been stopped.
core::Result<core::Task> release_task(OperationContext& ctx, HeldTaskRequest const& request);

struct HeartbeatRequest {
  TaskRef id;
  core::Epoch epoch = 0;
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

}  // namespace andon::service
