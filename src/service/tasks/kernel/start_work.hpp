#pragma once

#include <set>
#include <string>

#include "core/error.hpp"
#include "core/field.hpp"
#include "core/id.hpp"

namespace andon::core {

struct Board;
struct Worker;
struct Change;
}  // namespace andon::core

namespace andon::service {
struct OperationContext;

struct DispatchLimit {
  std::int64_t slots = 0;
};
void describe(auto& field, DispatchLimit const*) {
  field(&DispatchLimit::slots, "slots",
        "Most runs at once on all boards of this server together; 0 for no limit", core::required);
}

/// Whether nothing is dispatched on any board.
bool is_everything_paused(OperationContext& ctx);
/// Pauses dispatch on every board, or ends such a pause.
void pause_everything(OperationContext& ctx, bool paused);
/// Most runs at once on the whole server; 0 means no limit.
std::int64_t slots_of_server(OperationContext& ctx);
void keep_slots(OperationContext& ctx, DispatchLimit const& limit);
/// Refuses while all slots of the server or of the board are in use. A board's slots are `max_concurrent`;
/// without either the workers' capacities bound it.
core::Result<void> check_slots(OperationContext& ctx, core::Board const& board);
bool is_dispatch_paused(OperationContext& ctx, core::Board const& board);

/// Says that this server executes runs, or no longer does.
void set_runner(OperationContext& ctx, bool present);
/// Gives new runs numbers above `last`.
void number_runs_after(OperationContext& ctx, core::RunId last);
/// Forgets those of other servers than these, which ended without a word. True when there was one.
bool forget_gone_runners(OperationContext& ctx, std::set<std::string> const& living);
bool has_runner(OperationContext& ctx);
/// The servers with a runner. A store of one process says only that there is one.
std::vector<std::string> servers_with_runner(OperationContext& ctx);

/// Gives the task to a registered worker: its claim, and, where a runner is there to do it and the worker has
/// an agent, a run that is about to start. Checks its capacity.
core::Result<void> put_to_work(OperationContext& ctx, core::Change& change, core::Worker const& worker);

}  // namespace andon::service
