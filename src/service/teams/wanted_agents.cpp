#include "service/teams/wanted_agents.hpp"

#include <algorithm>

namespace andon::service {
namespace {

void ask(OperationContext& ctx, PutWorkerRequest const& worker, std::string const& place, WantedAgents& out) {
  auto const* before = ctx.tx.worker(worker.name);
  auto const had = before ? core::agents_of(*before) : std::vector<std::string>{};
  auto const want = [&](std::string const& agent, std::string_view field) {
    if (!agent.empty() && std::ranges::find(had, agent) == had.end())
      out.items.push_back({agent, place + std::string{field}});
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
