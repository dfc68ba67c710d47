#include "core/runs/retry.hpp"

#include <algorithm>

namespace andon::core {

bool is_crash(Run const& run) {
  return run.outcome == Outcome::failed && !run.said && run.ended && *run.ended - run.started < kCrash;
}

bool is_crash_loop(std::span<Run const> newest_first) {
  if (newest_first.size() < kCrashLoop) return false;
  auto const latest = newest_first.first(kCrashLoop);
  return std::ranges::all_of(latest, is_crash) &&
         std::ranges::any_of(latest, [&](Run const& run) { return run.task != latest.front().task; });
}

CrashScope scope_of_crash(std::span<Run const> of_worker, std::span<Run const> of_profile) {
  bool const is_of_several =
      is_crash_loop(of_profile) && std::ranges::any_of(of_profile.first(kCrashLoop), [&](Run const& run) {
        return run.worker != of_profile.front().worker;
      });
  if (is_of_several) return CrashScope::account;
  return is_crash_loop(of_worker) ? CrashScope::worker : CrashScope::task;
}

bool shares_profile(Run const& run, Run const& other) {
  return !run.agent.empty() && run.agent == other.agent && run.runner == other.runner;
}

}  // namespace andon::core
