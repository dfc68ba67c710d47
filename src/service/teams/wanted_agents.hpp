#pragma once

#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "service/operation_context.hpp"
#include "service/teams/team.hpp"
#include "service/workers/workers.hpp"

namespace andon::service {

/// An agent profile that a request names for a worker, and where it stands in the request.
struct WantedAgent {
  std::string agent;
  std::string field;
};
BOOST_DESCRIBE_STRUCT(WantedAgent, (), (agent, field))

/// Whether these profiles exist, to be answered where the profiles are.
struct WantedAgents {
  std::vector<WantedAgent> items;
};
BOOST_DESCRIBE_STRUCT(WantedAgents, (), (items))

/// The profile that a worker gets anew; one it has already is not asked for again.
core::Result<WantedAgents> agents_wanted_by_worker(OperationContext& ctx, PutWorkerRequest const& request);
core::Result<WantedAgents> agents_wanted_by_team(OperationContext& ctx, ApplyTeamRequest const& request);

}  // namespace andon::service
