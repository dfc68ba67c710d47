#pragma once

#include <string>
#include <vector>

#include "service/operation_context.hpp"
#include "service/teams/team.hpp"
#include "service/workers/workers.hpp"

namespace andon::service {

/// An agent profile that a request names for a worker, and where it stands in the request.
struct WantedAgent {
  std::string agent;
  std::string field;
};
void describe(auto& field, WantedAgent const*) {
  field(&WantedAgent::agent, "agent");
  field(&WantedAgent::field, "field");
}

/// Whether these profiles exist, to be answered where the profiles are.
struct WantedAgents {
  std::vector<WantedAgent> items;
};
void describe(auto& field, WantedAgents const*) { field(&WantedAgents::items, "items"); }

/// The profile that a worker gets anew; one it has already is not asked for again.
core::Result<WantedAgents> agents_wanted_by_worker(OperationContext& ctx, PutWorkerRequest const& request);
core::Result<WantedAgents> agents_wanted_by_team(OperationContext& ctx, ApplyTeamRequest const& request);

}  // namespace andon::service
