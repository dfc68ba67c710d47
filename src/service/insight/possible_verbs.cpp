#include "service/insight/possible_verbs.hpp"

#include <utility>

#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/stop_order.hpp"
#include "service/tasks/task_actions.hpp"

namespace andon::service {
namespace {

using core::Result;
using core::Verb;

/// Names the agent where the claim is that of its run: such a claim has no end that a person could wait for.
core::Error in_words(Change const& change, core::Error error) {
  if (error.code != core::Code::kTaskClaimed || !change.before.state.supervised) return error;
  error.message = "\"" + change.before.claimed_by + "\" works on it; stop the run first";
  return error;
}

Result<void> check(OperationContext& ctx, Change change, core::VerbRow const& row,
                   core::Situation const& situation) {
  if (row.heeds_claims) ANDON_CHECK(check_proof(ctx, change, {}));
  if (row.verb == Verb::claim) return prepare_claim(ctx, change, holder(ctx));
  ANDON_CHECK(check_act(ctx, change, row.verb, situation));
  if (row.verb != Verb::handoff) return {};
  ANDON_CHECK(handoff_column(ctx, change, false));
  return {};
}

}  // namespace

void tell_verbs(OperationContext& ctx, core::Task& task) {
  auto const revision = std::exchange(ctx.expected_rev, std::nullopt);
  auto const change = open_foreign(ctx, {std::to_string(task.id)});
  ctx.expected_rev = revision;
  if (!change) return;
  auto const situation = situation_of(ctx, *change);
  for (auto const& row : core::verb_rows()) {
    if (!row.is_offered) continue;
    auto const name = core::to_text(row.verb);
    if (auto const allowed = check(ctx, *change, row, situation); allowed)
      task.can.emplace_back(name);
    else
      task.cannot.emplace(name, in_words(*change, allowed.error()).message);
  }
}

}  // namespace andon::service
