#include "service/runs/runs.hpp"

#include <algorithm>

#include "service/remote_runners.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kMostListedRuns = 200;

Result<core::Run> find_run(OperationContext& ctx, core::RunId id) {
  auto run = ctx.tx.run(id);
  bool const hidden = run && ((is_run(ctx) && ctx.caller.run->board != run->board) ||
                              (is_runner(ctx) && ctx.caller.actor.name != run->runner));
  if (run && !hidden) return *std::move(run);
  return core::refuse(
      core::Error{Code::kRunNotFound, "there is no run " + std::to_string(id), "id", {}, {}}.with("id", id));
}

}  // namespace

Result<core::Run> own_run(OperationContext& ctx, core::RunId id) {
  ANDON_TRY(auto run, find_run(ctx, id));
  if (is_run(ctx) && ctx.caller.run->run != id)
    return core::refuse(Code::kForbidden, "a run may report only about itself", "id");
  if (is_runner(ctx) && !is_of_runner(ctx, run))
    return core::refuse(Code::kForbidden,
                        "run " + std::to_string(id) + " is none of runner \"" + ctx.caller.actor.name +
                            "\" on this boot of this host",
                        "id");
  return run;
}

Result<core::Run> supervised_run(OperationContext& ctx, core::RunId id) {
  ANDON_TRY(auto run, own_run(ctx, id));
  if (!is_run(ctx) || (run.pid && ctx.caller.run->process == run.process)) return run;
  if (!run.pid) return core::refuse(Code::kBusy, "the run is about to begin; try again");
  return core::refuse(
      Code::kForbidden,
      "only the process that supervises a run may tell that; report with complete, fail or block", "id");
}

Result<core::Run> get_run(OperationContext& ctx, RunRequest const& r) { return find_run(ctx, r.id); }

Result<Runs> list_runs(OperationContext& ctx, ListRunsRequest const& r) {
  if (r.id) return runs_of_task(ctx, {*r.id});
  Runs out{r.live ? ctx.tx.live_runs() : ctx.tx.recent_runs(kMostListedRuns)};
  if (is_runner(ctx)) std::erase_if(out.items, [&](core::Run const& run) { return !is_of_runner(ctx, run); });
  return out;
}

Result<Runs> runs_of_task(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  return Runs{ctx.tx.runs_of(task.id), spending_of(ctx, task)};
}

}  // namespace andon::service
