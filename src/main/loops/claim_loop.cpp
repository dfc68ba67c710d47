#include "main/loops/claim_loop.hpp"

#include "service/runs/sweep.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kSweepEvery = std::chrono::seconds{15};
constexpr core::Duration kBetweenSweeps = std::chrono::seconds{1};

}  // namespace

ClaimLoop::ClaimLoop(api::LocalExecutor& executor, os::Clock const& clock)
    : clock_(clock),
      client_(executor, "sweep"),
      wake_up_(clock.uptime()),
      loop_(executor, clock, "claims", kBetweenSweeps, [this](core::Instant now) { return step(now); }) {}

core::Instant ClaimLoop::step(core::Instant now) {
  auto const uptime = clock_.uptime();
  if (wake_up_.happened(uptime)) static_cast<void>(client_.call<&service::extend_leases>());
  if (uptime >= due_) {
    due_ = uptime + kSweepEvery;
    put_back_lapsed();
  }
  return now + (due_ - uptime);
}

/// Sweeps in several units of work, each with a bounded number of claims.
void ClaimLoop::put_back_lapsed() {
  for (bool more = true; more;) {
    auto const result = client_.call<&service::sweep>();
    more = result && result->more;
  }
}

}  // namespace andon::main
