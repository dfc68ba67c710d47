#pragma once

#include "core/model/board.hpp"
#include "core/model/run.hpp"
#include "core/model/runner.hpp"
#include "core/model/worker.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

// The records of runners on other hosts.

std::vector<std::string> names_of_runners(OperationContext& ctx);
std::optional<core::Runner> runner_named(OperationContext& ctx, std::string_view name);
core::RunnerStatus status_of(OperationContext& ctx, std::string_view name);
void keep(OperationContext& ctx, core::Runner const& runner);
void keep_status(OperationContext& ctx, std::string_view name, core::RunnerStatus const& status);
void forget_runner(OperationContext& ctx, std::string const& name);

/// Whether the runner was heard of lately and its token is good.
bool is_alive(OperationContext& ctx, core::Runner const& runner);
/// Whether any runner on another host is alive.
bool has_remote_runner(OperationContext& ctx);

/// Whether a live run is one that this start of the calling runner may watch and end.
bool is_of_runner(OperationContext& ctx, core::Run const& run);

/// The agent profiles that the runner of a server has. Nothing is known of a server that has not said so.
void keep_agents_of_server(OperationContext& ctx, std::vector<std::string> const& agents);
/// True when the runner of that server has the profile, or has not said which it has.
bool may_have_agent(OperationContext& ctx, std::string_view server, std::string const& agent);
/// The runners on other hosts whose last report names the profile, also those that are away.
std::vector<std::string> runners_with(OperationContext& ctx, std::string const& agent);
/// True when there are runners on other hosts whose token is good.
bool has_runner_on_another_host(OperationContext& ctx);

/// Why the runner starts no run of the worker on any board, or on that one; nothing when it does.
std::optional<std::string> why_not_on(OperationContext& ctx, core::Runner const& runner,
                                      core::Worker const& worker);
std::optional<std::string> why_not_on(core::Runner const& runner, core::Board const& board);
/// Why no run of the agent can start on the machine for which this operation acts.
std::optional<std::string> why_no_agent(OperationContext& ctx, std::string const& agent);
/// The living runner on another host that would take work of the worker on the board and can start the agent;
/// the one with most free slots.
std::optional<std::string> remote_runner_for(OperationContext& ctx, core::Board const& board,
                                             core::Worker const& worker, std::string const& agent);

}  // namespace andon::service
