#pragma once

#include <string>
#include <vector>

#include "service/boards/examined_repository.hpp"
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

/// A repository that a request gives to a board, and where the board stands in the request.
struct WantedRepository {
  ExamineRepositoryRequest question;
  std::string field;
};
void describe(auto& field, WantedRepository const*) {
  field(&WantedRepository::question, "question");
  field(&WantedRepository::field, "field");
}

/// Whether these profiles exist and these repositories can be worked in, to be answered by the machine.
struct WantedOnMachine {
  std::vector<WantedAgent> items;
  std::vector<WantedRepository> repositories{};
};
void describe(auto& field, WantedOnMachine const*) {
  field(&WantedOnMachine::items, "items");
  field(&WantedOnMachine::repositories, "repositories");
}

/// The profile that a worker gets anew; one it has already is not asked for again.
core::Result<WantedOnMachine> wanted_by_worker(OperationContext& ctx, PutWorkerRequest const& request);
/// The profiles of workers, and the repositories that boards with work trees get anew.
core::Result<WantedOnMachine> wanted_by_team(OperationContext& ctx, ApplyTeamRequest const& request);

}  // namespace andon::service
