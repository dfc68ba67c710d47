#pragma once

#include "service/tasks/change.hpp"

namespace andon::service {

struct DispatchLimit {
  std::int64_t slots = 0;
};
BOOST_DESCRIBE_STRUCT(DispatchLimit, (), (slots))
inline constexpr std::array kDispatchLimitFields{core::Field{
    "slots", "Most runs at once on all boards of this server together; 0 for no limit", core::required}};
constexpr auto const& fields(DispatchLimit const*) { return kDispatchLimitFields; }

/// Whether nothing is dispatched on any board.
bool is_everything_paused(Unit& u);
/// Pauses dispatch on every board, or ends such a pause.
void pause_everything(Unit& u, bool paused);
/// Most runs at once on the whole server; 0 means no limit.
std::int64_t slots_of_server(Unit& u);
void keep_slots(Unit& u, DispatchLimit const& limit);
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

}  // namespace andon::service
