#pragma once

#include "service/budgets.hpp"
#include "service/freeze.hpp"
#include "service/requests.hpp"

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

core::Result<DispatchStatus> dispatch_status(Unit& u, NoRequest const&);
core::Result<DispatchStatus> set_dispatch(Unit& u, DispatchState const& request);

struct DispatchLimit {
  std::int64_t slots = 0;
};
BOOST_DESCRIBE_STRUCT(DispatchLimit, (), (slots))
inline constexpr std::array kDispatchLimitFields{core::Field{
    "slots", "Most runs at once on all boards of this server together; 0 for no limit", core::required}};
constexpr auto const& fields(DispatchLimit const*) { return kDispatchLimitFields; }
core::Result<DispatchLimit> limit_dispatch(Unit& u, DispatchLimit const& request);

/// Refuses while all slots of the server or of the board are in use. A board's slots are `max_concurrent`;
/// without either the workers' capacities bound it.
core::Result<void> check_slots(Unit& u, core::Board const& board);
bool is_dispatch_paused(Unit& u, core::Board const& board);

/// Says that a runner executes runs on this store, or that it has gone.
void set_runner(Unit& u, bool present);
bool has_runner(Unit& u);

/// Gives the task to a registered worker: its claim, and, where a runner is there to do it and the worker has
/// an agent, a run that is about to start. Checks its capacity.
core::Result<void> put_to_work(Unit& u, Change& change, core::Worker const& worker);

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
core::Result<core::Run> dispatch_next(Unit& u, DispatchRequest const& request);

}  // namespace andon::service
