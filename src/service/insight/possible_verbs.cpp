#include "service/insight/possible_verbs.hpp"

#include <utility>

#include "service/runs/revert.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/stop_order.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"
#include "service/tasks/task_actions.hpp"

namespace andon::service {
namespace {

using core::Result;
using core::Verb;

/// Names the agent where the claim is that of its run: such a claim has no end that a person could wait for.
std::string in_words(Change const& change, core::Error error) {
  if (error.code != core::Code::kTaskClaimed || !change.before.state.supervised)
    return std::move(error.message);
  return "\"" + change.before.claimed_by + "\" works on it; stop the run first";
}

Result<void> check_claim(OperationContext& ctx, Change change) {
  return prepare_claim(ctx, change, holder(ctx));
}

/// `proof` says whether the caller may act against a live claim.
Result<void> check(OperationContext& ctx, Change const& change, Result<void> const& proof,
                   core::VerbRow const& row, core::Situation const& situation) {
  if (row.heeds_claims && !proof) return proof;
  if (row.verb == Verb::claim) return check_claim(ctx, change);
  ANDON_CHECK(check_act(ctx, change, row.verb, situation));
  if (row.verb != Verb::handoff) return {};
  ANDON_CHECK(handoff_column(ctx, change, false));
  return {};
}

/// Taking landed work back is no verb of the table: it is offered where there is some.
void tell_revert(OperationContext& ctx, core::Task& task) {
  if (is_run(ctx) || landed_runs(ctx, task.id).empty()) return;
  if (auto allowed = check_revert(ctx, task); allowed)
    task.can.emplace_back("revert");
  else
    task.cannot.emplace("revert", std::move(allowed).error().message);
}

}  // namespace

void tell_verbs(OperationContext& ctx, core::Task& task) {
  auto const revision = std::exchange(ctx.expected_rev, std::nullopt);
  auto change = open_foreign(ctx, {std::to_string(task.id)});
  ctx.expected_rev = revision;
  if (!change) return;
  auto const proof = check_proof(ctx, *change, {});
  auto const situation = situation_of(ctx, *change);
  for (auto const& row : core::verb_rows()) {
    if (!row.is_offered) continue;
    auto const name = core::to_text(row.verb);
    if (auto allowed = check(ctx, *change, proof, row, situation); allowed)
      task.can.emplace_back(name);
    else
      task.cannot.emplace(name, in_words(*change, std::move(allowed).error()));
  }
  tell_revert(ctx, task);
}

}  // namespace andon::service
