#include "service/tasks/kernel/engine_act.hpp"

#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/dependencies.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "service/tasks/kernel/waiting.hpp"

namespace andon::service {

core::Situation situation_of(OperationContext& ctx, Change const& change, core::Verb verb) {
  auto const& row = core::row(verb);
  auto const& task = change.before;
  core::Situation out;
  out.load = ctx.tx.load(change.board.id);
  out.now = ctx.now;
  out.jitter = ctx.jitter;
  out.caller = holder(ctx);
  out.is_agent = !acting_worker(ctx).empty();
  out.is_run = is_run(ctx);
  if (row.guards.contains(core::Guard::something_to_end)) out.has_live_run = has_live_run(ctx, task);
  if (row.guards.contains(core::Guard::no_dependency) && task.state.open_deps > 0)
    out.open_dependencies = open_dependency_ids(ctx, task);
  if (row.to == core::Target::ready_unless_waiting) out.lacks_brief = lacks_brief(ctx, change.board, task);
  return out;
}

core::EventKind apply(OperationContext& ctx, Change& change, core::Verb verb, core::VerbInput const& input) {
  return core::apply(verb, change, situation_of(ctx, change, verb), input, core::Entry::queued);
}

}  // namespace andon::service
