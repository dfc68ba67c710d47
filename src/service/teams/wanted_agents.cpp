#include "service/teams/wanted_agents.hpp"

#include <algorithm>

#include "service/remote_runners.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

/// Whether a runner on another host has the profile. Then the server need not have it.
bool is_on_runner(OperationContext& ctx, std::string const& agent) {
  return std::ranges::any_of(names_of_runners(ctx), [&](std::string const& name) {
    auto const runner = runner_named(ctx, name);
    return runner && std::ranges::find(runner->agents, agent, &core::RunnerAgent::id) != runner->agents.end();
  });
}

void ask(OperationContext& ctx, PutWorkerRequest const& worker, std::string const& place, WantedAgents& out) {
  auto const* before = ctx.tx.worker(worker.name);
  auto const had = before ? core::agents_of(*before) : std::vector<std::string>{};
  auto const want = [&](std::string const& agent, std::string_view field) {
    bool const is_new = !agent.empty() && std::ranges::find(had, agent) == had.end();
    if (is_new && !is_on_runner(ctx, agent)) out.items.push_back({agent, place + std::string{field}});
  };
  if (worker.agent) want(*worker.agent, "agent");
  if (worker.agents)
    for (auto const& agent : *worker.agents) want(agent, "agents");
}

}  // namespace

core::Result<WantedAgents> agents_wanted_by_worker(OperationContext& ctx, PutWorkerRequest const& request) {
  WantedAgents out;
  ask(ctx, request, "", out);
  return out;
}

core::Result<WantedAgents> agents_wanted_by_team(OperationContext& ctx, ApplyTeamRequest const& request) {
  WantedAgents out;
  if (!request.workers) return out;
  for (std::size_t i = 0; i < request.workers->size(); ++i)
    ask(ctx, (*request.workers)[i], "workers/" + std::to_string(i) + "/", out);
  return out;
}

}  // namespace andon::service
