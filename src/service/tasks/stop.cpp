#include "service/tasks/stop.hpp"

#include "service/tasks/task_actions.hpp"

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

/// The run that must end before the verb takes effect, if any. An agent whose claim has ended has no say any
/// more; only the kill switch still concerns it.
std::optional<core::Run> run_to_stop(OperationContext& ctx, Change const& change, std::string_view verb) {
  auto run = live_run(ctx, change.before);
  bool const holds = run && change.before.epoch == run->epoch && !change.before.claimed_by.empty();
  if (!holds && verb != "kill") return std::nullopt;
  return run;
}

}  // namespace

Result<void> check_stop(OperationContext& ctx, Change const& change, std::string_view verb) {
  auto const run = run_to_stop(ctx, change, verb);
  if (!run || run->state != core::RunState::stopping || verb == "kill") return {};
  return core::refuse(Code::kConflict, "its agent is being stopped already; try again in a moment");
}

Result<void> check_kill(OperationContext& ctx, Change const& change) {
  if (live_run(ctx, change.before) || core::is_in_work(change.before.stage) ||
      core::is_claimed(change.before, ctx.now))
    return {};
  return core::refuse(Code::kIllegalTransition, "nothing runs on task #" + std::to_string(change.before.id));
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

Result<core::Task> kill_task(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto change, open(ctx, r.id));
  ANDON_CHECK(check_kill(ctx, change));
  ANDON_TRY(auto const stopping, stop_first(ctx, change, {"kill", {}, "killed", {}, {}}));
  if (stopping) return save(ctx, change, core::EventKind::task_edited, {{"stopping", "kill"}});
  apply_kill(ctx, change);
  return save(ctx, change, core::EventKind::task_killed);
}

}  // namespace andon::service
