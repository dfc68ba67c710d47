#pragma once

#include "core/model/plan.hpp"
#include "service/requests.hpp"

namespace andon::service {

struct WritePlanRequest {
  TaskRef id;
  std::string text;
  std::optional<core::Epoch> epoch;
};
void describe(auto& field, WritePlanRequest const*) {
  field(&WritePlanRequest::id, kIdField);
  field(&WritePlanRequest::text, "text", "The plan, in Markdown, at most 256 KiB", core::required);
  field(&WritePlanRequest::epoch, kEpochField);
}

/// The plan of a task in an answer.
struct TaskPlan : core::Plan {
  core::TaskId task = 0;
};
void describe(auto& field, TaskPlan const* extended) {
  field(&TaskPlan::task, "task", "Number of the task", core::always);
  describe(field, static_cast<core::Plan const*>(extended));
}

/// Writes the plan of a task, which then waits for a verdict. A planning run writes the plan of its own task;
/// a person writes it while no agent works by the plan and no work waits for a verdict.
core::Result<TaskPlan> write_plan(OperationContext& ctx, WritePlanRequest const& request);
core::Result<TaskPlan> get_plan(OperationContext& ctx, TaskRequest const& request);

/// Refuses `CONFLICT` when the plan that waits for a verdict is not the one with that digest.
core::Result<void> check_plan_hash(OperationContext& ctx, core::TaskId task, std::string const& hash);

}  // namespace andon::service
