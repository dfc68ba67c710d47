#include "service/tasks/kernel/stop_order.hpp"

#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

std::optional<core::Run> live_run(OperationContext& ctx, core::Task const& task) {
  if (!task.run) return std::nullopt;
  auto run = ctx.tx.run(*task.run);
  if (!run || run->state == core::RunState::ended) return std::nullopt;
  return run;
}

/// The run that must end before the verb takes effect, if any.
std::optional<core::Run> run_to_stop(OperationContext& ctx, Change const& change, core::Verb verb) {
  auto run = live_run(ctx, change.before);
  bool const holds = run && change.before.epoch == run->epoch && !change.before.claimed_by.empty();
  if (!holds && verb != core::Verb::kill) return std::nullopt;
  return run;
}

}  // namespace

bool has_run_to_stop(OperationContext& ctx, Change const& change, core::Verb verb) {
  return run_to_stop(ctx, change, verb).has_value();
}

Result<void> check_stop(OperationContext& ctx, Change const& change, core::Verb verb) {
  auto const run = run_to_stop(ctx, change, verb);
  if (!run || run->state != core::RunState::stopping || verb == core::Verb::kill) return {};
  return core::refuse(Code::kConflict, "its agent is being stopped already; try again in a moment");
}

Result<bool> stop_first(OperationContext& ctx, Change& change, core::StopOrder order) {
  ANDON_CHECK(check_stop(ctx, change, order.verb));
  auto run = run_to_stop(ctx, change, order.verb);
  if (!run) return false;
  order.by = core::to_text(ctx.caller.actor);
  order.at = ctx.now;
  run->stop = std::move(order);
  run->state = core::RunState::stopping;
  ctx.tx.put(*run);
  change.after.state.stopping = true;
  return true;
}

}  // namespace andon::service
