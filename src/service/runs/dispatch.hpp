#pragma once

#include "service/limits/budgets.hpp"
#include "service/limits/freeze.hpp"
#include "service/tasks/kernel/start_work.hpp"

namespace andon::service {

struct DispatchState {
  bool paused = false;
  std::string board;  ///< with a board: only that one
};
void describe(auto& field, DispatchState const*) {
  field(&DispatchState::paused, "paused", "Whether idle workers pick nothing", core::required);
  field(&DispatchState::board, "board", "Only this board; everything when left out");
}

struct DispatchStatus {
  bool paused = false;
  std::vector<std::string> paused_boards;
  std::vector<std::string> paused_workers;
  std::int64_t running = 0;
  std::int64_t slots = 0;
  std::int64_t ready = 0;
  bool runner = false;
  Frozen frozen;
  std::vector<DayBudget> budgets;
};
void describe(auto& field, DispatchStatus const*) {
  field(&DispatchStatus::paused, "paused", "Whether everything is paused", core::always);
  field(&DispatchStatus::paused_boards, "paused_boards", "Boards without automatic dispatch");
  field(&DispatchStatus::paused_workers, "paused_workers", "Workers that are paused");
  field(&DispatchStatus::running, "running", "Runs that have not ended", core::always);
  field(&DispatchStatus::slots, "slots", "How many there may be on all boards together; 0 for no limit",
        core::always);
  field(&DispatchStatus::ready, "ready", "Tasks in ready columns", core::always);
  field(&DispatchStatus::runner, "runner", "Whether a runner is connected", core::always);
  field(&DispatchStatus::frozen, "frozen", "Whose agents stand still", core::always);
  field(&DispatchStatus::budgets, "budgets",
        "What each board and worker spent today, with its budget of the day");
}

core::Result<DispatchStatus> dispatch_status(OperationContext& ctx, NoRequest const&);
core::Result<DispatchStatus> set_dispatch(OperationContext& ctx, DispatchState const& request);

core::Result<DispatchLimit> limit_dispatch(OperationContext& ctx, DispatchLimit const& request);

/// The agent profiles that the runner of the calling server has.
struct ServerAgents {
  std::vector<std::string> agents;
};
void describe(auto& field, ServerAgents const*) {
  field(&ServerAgents::agents, "agents", "Names of the profiles", core::required);
}

/// Keeps them, so that work of other agents waits for a runner on another host.
core::Result<ServerAgents> report_agents(OperationContext& ctx, ServerAgents const& said);

/// An idle worker that takes its next task under the calling runner, or the first of several that has one.
struct DispatchRequest {
  std::string worker{};
  std::vector<std::string> workers{};
  std::optional<core::Duration> wait{};
};
void describe(auto& field, DispatchRequest const*) {
  field(&DispatchRequest::worker, "worker", "Worker that is free");
  field(&DispatchRequest::workers, "workers",
        "Workers that are free, instead of one; unknown ones are passed over");
  field(&DispatchRequest::wait, "wait", "How long to wait for a task, at most 60s");
}

/// Picks the next task for a worker and opens its run. `NOTHING_TO_PICK` when there is none.
core::Result<core::Run> dispatch_next(OperationContext& ctx, DispatchRequest const& request);

}  // namespace andon::service
