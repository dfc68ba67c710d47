#include "service/teams/wanted_agents.hpp"

namespace andon::service {
namespace {

void ask(Unit& u, PutWorkerRequest const& worker, std::string const& place, WantedAgents& out) {
  if (!worker.agent || worker.agent->empty()) return;
  auto const* before = u.tx.worker(worker.name);
  if (!before || before->agent != *worker.agent) out.items.push_back({*worker.agent, place + "agent"});
}

}  // namespace

core::Result<WantedAgents> agents_wanted_by_worker(Unit& u, PutWorkerRequest const& request) {
  WantedAgents out;
  ask(u, request, "", out);
  return out;
}

core::Result<WantedAgents> agents_wanted_by_team(Unit& u, ApplyTeamRequest const& request) {
  WantedAgents out;
  if (!request.workers) return out;
  for (std::size_t i = 0; i < request.workers->size(); ++i)
    ask(u, (*request.workers)[i], "workers/" + std::to_string(i) + "/", out);
  return out;
}

}  // namespace andon::service
