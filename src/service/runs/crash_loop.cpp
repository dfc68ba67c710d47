#include "service/runs/crash_loop.hpp"

#include <algorithm>
#include <span>

#include "service/limits/accounts.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

constexpr std::size_t kRunsOfCrashLoop = 100;

/// Newest first.
std::vector<core::Run> ended_runs(OperationContext& ctx) {
  auto out = ctx.tx.recent_runs(kRunsOfCrashLoop);
  std::erase_if(out, [](core::Run const& run) { return !run.ended; });
  return out;
}

std::vector<core::Run> of_profile(OperationContext& ctx, core::Run const& run) {
  auto out = ended_runs(ctx);
  std::erase_if(out, [&](core::Run const& other) { return !core::shares_profile(run, other); });
  return out;
}

/// The attempts that crashed before the cause was known. A task that has gone on meanwhile keeps its count.
void give_attempts_back(OperationContext& ctx, core::Run const& run) {
  auto engine = as_system(ctx);
  auto const crashes = of_profile(ctx, run);
  for (auto const& crash : std::span{crashes}.first(std::min(crashes.size(), core::kCrashLoop))) {
    auto change = crash.id == run.id ? std::nullopt : load_change(engine, crash.task);
    if (!change || change->before.run != crash.id || change->before.stage != core::Stage::ready) continue;
    change->after.attempt = std::max(0, change->after.attempt - 1);
    change->after.state.last_failure.clear();
    save(engine, *change, core::EventKind::task_edited);
  }
}

}  // namespace

void pause_if_unfit(OperationContext& ctx, core::Run const& run,
                    std::optional<core::StopReason> stopped_because) {
  auto const* worker = ctx.tx.worker(run.worker);
  if (stopped_because != core::StopReason::unfit || !worker || worker->paused) return;
  if (pause_account_for_trouble(ctx, run)) return;
  pause_for_trouble(ctx, run.worker, run.reason);
}

core::CrashScope crash_scope(OperationContext& ctx, core::Run const& run) {
  if (!core::is_crash(run)) return core::CrashScope::task;
  auto const* worker = ctx.tx.worker(run.worker);
  auto const since = worker ? worker->resumed.value_or(core::Instant{}) : core::Instant{};
  std::vector<core::Run> of_worker;
  for (auto& other : ended_runs(ctx))
    if (other.worker == run.worker && other.started >= since) of_worker.push_back(std::move(other));
  return core::scope_of_crash(of_worker, of_profile(ctx, run));
}

void hold_after_crash(OperationContext& ctx, core::Run const& run, core::CrashScope scope) {
  auto const story = std::to_string(core::kCrashLoop) + " attempts in a row failed at once; the last, on #" +
                     std::to_string(run.task) + ": " + run.reason;
  if (scope == core::CrashScope::account) {
    bool const is_first = rest_account(ctx, run, story);
    if (is_first) give_attempts_back(ctx, run);
  }
  auto const* worker = ctx.tx.worker(run.worker);
  if (scope == core::CrashScope::worker && worker && !worker->paused)
    pause_for_trouble(ctx, run.worker, story);
}

}  // namespace andon::service
