#pragma once

#include "service/requests.hpp"
#include "service/tasks/pick.hpp"

namespace andon::service {

struct CompleteRequest {
  TaskRef id;
  std::string result;
  std::string no_change;
  std::optional<PickRequest> pick;
  std::string claim;
  std::optional<core::Epoch> epoch;
  bool force = false;
};
void describe(auto& field, CompleteRequest const*) {
  field(&CompleteRequest::id, kIdField);
  field(&CompleteRequest::result, "result", "What was done");
  field(&CompleteRequest::no_change, "no_change", "Why the work needed no change");
  field(&CompleteRequest::pick, "pick",
        "Claim the next task in the same step: a pick without waiting, of the ready columns when it names "
        "none");
  field(&CompleteRequest::claim, kClaimField);
  field(&CompleteRequest::epoch, kEpochField);
  field(&CompleteRequest::force, kForceField);
}

/// The reason why a finished task was followed by no other one.
struct NotPicked {
  std::string code;
  std::string error;
};
void describe(auto& field, NotPicked const*) {
  field(&NotPicked::code, "code", "Code of the refusal, such as NOTHING_TO_PICK", core::always);
  field(&NotPicked::error, "error", "The refusal in a sentence", core::always);
}

/// A task after its end, and the task that was picked with it.
struct FinishedTask : core::Task {
  std::optional<core::Task> picked;
  std::optional<NotPicked> not_picked;
};
void describe(auto& field, FinishedTask const* extended) {
  describe(field, static_cast<core::Task const*>(extended));
  field(&FinishedTask::picked, "picked", "The next task, where one was asked for; it is claimed");
  field(&FinishedTask::not_picked, "not_picked", "Why there is no next task");
}

/// Both finish a task and, where the request says so, pick the next one in the same unit of work. The task is
/// finished even if there is nothing to pick; a pick that is asked for in a wrong way refuses both.
core::Result<FinishedTask> submit_task(OperationContext& ctx, CompleteRequest const& request);
core::Result<FinishedTask> complete_task(OperationContext& ctx, CompleteRequest const& request);

}  // namespace andon::service
