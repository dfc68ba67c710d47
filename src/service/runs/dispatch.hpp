#pragma once

#include "service/limits/budgets.hpp"
#include "service/limits/freeze.hpp"
#include "service/tasks/start_work.hpp"

namespace andon::service {

struct DispatchState {
  bool paused = false;
  std::string board;  ///< with a board: only that one
};
BOOST_DESCRIBE_STRUCT(DispatchState, (), (paused, board))
inline constexpr std::array kDispatchFields{
    core::Field{"paused", "Whether idle workers pick nothing", core::required},
    core::Field{"board", "Only this board; everything when left out"}};
constexpr auto const& fields(DispatchState const*) { return kDispatchFields; }

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
BOOST_DESCRIBE_STRUCT(DispatchStatus, (),
                      (paused, paused_boards, paused_workers, running, slots, ready, runner, frozen, budgets))
inline constexpr std::array kDispatchStatusFields{
    core::Field{"paused", "Whether everything is paused", core::always},
    core::Field{"paused_boards", "Boards without automatic dispatch"},
    core::Field{"paused_workers", "Workers that are paused"},
    core::Field{"running", "Runs that have not ended", core::always},
    core::Field{"slots", "How many there may be on all boards together; 0 for no limit", core::always},
    core::Field{"ready", "Tasks in ready columns", core::always},
    core::Field{"runner", "Whether a runner is connected", core::always},
    core::Field{"frozen", "Whose agents stand still", core::always},
    core::Field{"budgets", "Budgets of the day and what was spent of them"}};
constexpr auto const& fields(DispatchStatus const*) { return kDispatchStatusFields; }

core::Result<DispatchStatus> dispatch_status(OperationContext& ctx, NoRequest const&);
core::Result<DispatchStatus> set_dispatch(OperationContext& ctx, DispatchState const& request);

core::Result<DispatchLimit> limit_dispatch(OperationContext& ctx, DispatchLimit const& request);

/// One idle worker taking its next task under a runner.
struct DispatchRequest {
  std::string worker;
  std::string runner = "local";
};
BOOST_DESCRIBE_STRUCT(DispatchRequest, (), (worker, runner))
inline constexpr std::array kDispatchRequestFields{
    core::Field{"worker", "Worker that is free", core::required},
    core::Field{"runner", "Runner that will execute it"}};
constexpr auto const& fields(DispatchRequest const*) { return kDispatchRequestFields; }

/// Picks the next task for a worker and opens its run. `NOTHING_TO_PICK` when there is none.
core::Result<core::Run> dispatch_next(OperationContext& ctx, DispatchRequest const& request);

}  // namespace andon::service
