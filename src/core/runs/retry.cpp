#include "core/runs/retry.hpp"

#include <algorithm>

namespace andon::core {

namespace {

bool ended_by_itself(Run const& run) {
  bool const began = run.exit && (run.exit->code || run.exit->signal);
  return began && run.outcome && *run.outcome != Outcome::rate_limited && *run.outcome != Outcome::lost &&
         *run.outcome != Outcome::killed;
}

}  // namespace

bool goes_on(Run const& run) { return run.unfinished == 1 && run.outcome == Outcome::failed; }

Run const* last_word(std::span<Run const> newest_first) {
  auto const found = std::ranges::find_if(newest_first, ended_by_itself);
  return found == newest_first.end() ? nullptr : &*found;
}

bool is_crash(Run const& run) {
  return run.outcome == Outcome::failed && !run.said && !goes_on(run) && run.ended &&
         *run.ended - run.started < kCrash;
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
