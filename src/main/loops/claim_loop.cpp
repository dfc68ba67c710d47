#include "main/loops/claim_loop.hpp"

#include <algorithm>

#include "service/remote_runners.hpp"
#include "service/runners/runners.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/runs.hpp"
#include "service/runs/sweep.hpp"
#include "service/tasks/kernel/start_work.hpp"
#include "store/contract/servers.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kSweepEvery = std::chrono::seconds{5};
constexpr core::Duration kBetweenSweeps = std::chrono::seconds{1};

}  // namespace

ClaimLoop::ClaimLoop(api::LocalExecutor& executor, os::Clock const& clock)
    : executor_(executor),
      clock_(clock),
      client_(executor, "sweep"),
      wake_up_(clock.uptime()),
      loop_(
          executor, clock, "claims", kBetweenSweeps, [this](core::Instant now) { return step(now); },
          Duty::leader) {}

core::Instant ClaimLoop::step(core::Instant now) {
  auto const uptime = clock_.uptime();
  if (wake_up_.happened(uptime)) static_cast<void>(client_.call<&service::extend_leases>());
  if (uptime >= due_) {
    due_ = uptime + kSweepEvery;
    end_runs_of_gone_servers();
    end_runs_of_gone_runners();
    put_back_lapsed();
  }
  return now + (due_ - uptime);
}

std::set<std::string> ClaimLoop::living_servers() const {
  std::set<std::string> out;
  for (auto const& each : executor_.servers()->all())
    if (each.is_alive) out.insert(each.server.name);
  return out;
}

void ClaimLoop::end_runs_of_gone_servers() {
  if (!executor_.servers()) return;
  auto const living = living_servers();
  auto const leases = client_.call<&service::list_leases>();
  auto const runs = client_.call<&service::list_runs>({{}, true});
  if (!leases || !runs) return;
  std::set<std::string> remote;
  executor_.read([&](service::OperationContext& ctx) {
    for (auto& name : service::names_of_runners(ctx)) remote.insert(std::move(name));
  });
  for (auto const& run : runs->items) {
    auto const lease = std::ranges::find(leases->items, run.id, &service::RunLease::run);
    bool const is_held = lease != leases->items.end() && lease->expires > clock_.now();
    if (is_held || living.contains(run.runner) || remote.contains(run.runner)) continue;
    service::FinishRunRequest ending;
    ending.id = run.id;
    ending.stopped_because = core::StopReason::lost;
    ending.result = "its server " + run.runner + " is gone";
    static_cast<void>(client_.call<&service::finish_run>(ending));
  }
  executor_.write([&](service::OperationContext& ctx) { return service::forget_gone_runners(ctx, living); });
}

/// Their processes end by themselves with their leases.
void ClaimLoop::end_runs_of_gone_runners() {
  std::vector<core::Run> gone;
  executor_.read([&](service::OperationContext& ctx) { gone = service::runs_of_gone_runners(ctx); });
  for (auto const& run : gone) {
    service::FinishRunRequest ending;
    ending.id = run.id;
    ending.stopped_because = core::StopReason::lost;
    ending.result = "its runner " + run.runner + " is gone";
    static_cast<void>(client_.call<&service::finish_run>(ending));
  }
}

/// Sweeps in several units of work, each with a bounded number of claims.
void ClaimLoop::put_back_lapsed() {
  for (bool more = true; more;) {
    auto const result = client_.call<&service::sweep>();
    more = result && result->more;
  }
}

}  // namespace andon::main
