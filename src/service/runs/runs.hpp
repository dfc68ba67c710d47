#pragma once

#include "core/model/run.hpp"
#include "service/limits/task_spending.hpp"
#include "service/requests.hpp"

namespace andon::service {

inline constexpr core::Field kRunIdField{"id", "Number of the run", core::required};

struct RunRequest {
  core::RunId id = 0;
};
void describe(auto& field, RunRequest const*) { field(&RunRequest::id, kRunIdField); }

struct Runs {
  std::vector<core::Run> items;
  std::optional<TaskSpending> spent{};  ///< of a list of one task
};
void describe(auto& field, Runs const*) {
  field(&Runs::items, "items", "The runs", core::always);
  field(&Runs::spent, "spent", "What all runs of the task spent together; for the runs of one task");
}

struct ListRunsRequest {
  std::optional<TaskRef> id;
  bool live = false;
};
void describe(auto& field, ListRunsRequest const*) {
  field(&ListRunsRequest::id, "id", "Only runs of this task");
  field(&ListRunsRequest::live, "live", "Only runs that have not ended", core::set_only);
}

core::Result<core::Run> get_run(OperationContext& ctx, RunRequest const& request);
core::Result<Runs> list_runs(OperationContext& ctx, ListRunsRequest const& request);
core::Result<Runs> runs_of_task(OperationContext& ctx, TaskRequest const& request);

/// The run; another one than the caller's own is refused to a run.
core::Result<core::Run> own_run(OperationContext& ctx, core::RunId id);
/// The run, when its supervising process asks, or somebody who is no run. What a run spent and how it ended
/// that process tells: the agent has the same token, but may not vouch for its own checks or take back what
/// it has spent.
core::Result<core::Run> supervised_run(OperationContext& ctx, core::RunId id);

}  // namespace andon::service
