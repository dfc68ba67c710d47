#include "service/teams/wanted_on_machine.hpp"

#include <algorithm>

#include "service/boards/board_repository.hpp"
#include "service/reference.hpp"
#include "service/remote_runners.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

void ask(OperationContext& ctx, PutWorkerRequest const& worker, std::string const& place,
         WantedOnMachine& out) {
  auto const* before = ctx.tx.worker(worker.name);
  auto const had = before ? core::agents_of(*before) : std::vector<std::string>{};
  auto const want = [&](std::string const& agent, std::string_view field) {
    bool const is_new = !agent.empty() && std::ranges::find(had, agent) == had.end();
    // A runner on another host may have the profile, or get it later. The worker waits for it.
    if (is_new && !has_runner_on_another_host(ctx)) out.items.push_back({agent, place + std::string{field}});
  };
  if (worker.agent) want(*worker.agent, "agent");
  if (worker.agents)
    for (auto const& agent : *worker.agents) want(agent, "agents");
}

void ask(OperationContext& ctx, TeamBoard const& wanted, std::string const& place, WantedOnMachine& out) {
  auto const before = find_board(ctx, wanted.name);
  auto question = examination_for(ctx, wanted, before ? **before : core::Board{});
  if (!question.repo.empty()) out.repositories.push_back({std::move(question), place});
}

}  // namespace

core::Result<WantedOnMachine> wanted_by_worker(OperationContext& ctx, PutWorkerRequest const& request) {
  WantedOnMachine out;
  ask(ctx, request, "", out);
  return out;
}

core::Result<WantedOnMachine> wanted_by_team(OperationContext& ctx, ApplyTeamRequest const& request) {
  WantedOnMachine out;
  if (request.workers)
    for (std::size_t i = 0; i < request.workers->size(); ++i)
      ask(ctx, (*request.workers)[i], "workers/" + std::to_string(i) + "/", out);
  if (request.boards)
    for (std::size_t i = 0; i < request.boards->size(); ++i)
      ask(ctx, (*request.boards)[i], "boards/" + std::to_string(i) + "/", out);
  return out;
}

}  // namespace andon::service
