#include "service/runs/run_guard.hpp"

#include <ranges>

#include "store/engine/unit/unit.hpp"

namespace andon::service {

using core::Result;

Result<core::RunGuard> get_run_guard(OperationContext& ctx, RunRequest const& r) {
  ANDON_TRY(auto const run, own_run(ctx, r.id));
  return ctx.tx.guard(run.id).value_or(core::RunGuard{});
}

Result<RunLeases> list_leases(OperationContext& ctx, NoRequest const&) {
  RunLeases out;
  for (auto const& run : ctx.tx.live_runs()) {
    if (is_runner(ctx) && run.runner != ctx.caller.actor.name) continue;
    auto const task = ctx.tx.task(run.task);
    if (task && task->epoch == run.epoch && task->claim_expires)
      out.items.push_back({run.id, *task->claim_expires});
  }
  return out;
}

Result<core::Run> keep_work_place(OperationContext& ctx, WorkPlaceRequest const& r) {
  ANDON_TRY(auto run, supervised_run(ctx, r.id));
  auto guard = ctx.tx.guard(run.id).value_or(core::RunGuard{});
  if (run.state == core::RunState::ended || (guard.place && *guard.place != r.place))
    return core::refuse(core::Code::kConflict, "the work tree of run " + std::to_string(r.id) + " is known");
  guard.place = r.place;
  ctx.tx.put(run.id, guard);
  return run;
}

std::optional<core::WorkPlace> place_of(OperationContext& ctx, core::TaskId task) {
  auto const runs = ctx.tx.runs_of(task);
  for (auto const& run : std::views::reverse(runs))
    if (auto const guard = ctx.tx.guard(run.id); guard && guard->place && run.runner == ctx.server)
      return guard->place;
  return std::nullopt;
}

std::string branch_of(OperationContext& ctx, core::TaskId task) {
  auto const runs = ctx.tx.runs_of(task);
  for (auto const& run : std::views::reverse(runs))
    if (!run.branch.empty()) return run.branch;
  return {};
}

}  // namespace andon::service
