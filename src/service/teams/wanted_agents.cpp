#include "service/teams/wanted_agents.hpp"

namespace andon::service {
namespace {

void ask(OperationContext& ctx, PutWorkerRequest const& worker, std::string const& place, WantedAgents& out) {
  if (!worker.agent || worker.agent->empty()) return;
  auto const* before = ctx.tx.worker(worker.name);
  if (!before || before->agent != *worker.agent) out.items.push_back({*worker.agent, place + "agent"});
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
