#include "service/runs/crash_loop.hpp"

#include "core/runs/retry.hpp"
#include "service/limits/accounts.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

constexpr std::size_t kRunsOfCrashLoop = 100;

}  // namespace

void pause_if_unfit(OperationContext& ctx, core::Run const& run,
                    std::optional<core::StopReason> stopped_because) {
  auto const* worker = ctx.tx.worker(run.worker);
  if (stopped_because != core::StopReason::unfit || !worker || worker->paused) return;
  if (pause_account_for_trouble(ctx, run)) return;
  pause_for_trouble(ctx, run.worker, run.reason);
}

void pause_if_looping(OperationContext& ctx, core::Run const& run) {
  auto const* worker = ctx.tx.worker(run.worker);
  if (!worker || worker->paused || !core::is_crash(run)) return;
  std::vector<core::Run> latest;
  for (auto& other : ctx.tx.recent_runs(kRunsOfCrashLoop))
    if (other.worker == run.worker && other.started >= worker->resumed.value_or(core::Instant{}))
      latest.push_back(std::move(other));
  if (!core::is_crash_loop(latest)) return;
  pause_for_trouble(ctx, run.worker,
                    std::to_string(core::kCrashLoop) + " attempts in a row failed at once; the last, on #" +
                        std::to_string(run.task) + ": " + run.reason);
}

}  // namespace andon::service
