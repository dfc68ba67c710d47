#include "core/runs/retry.hpp"

#include <algorithm>

#include "core/text/without_numbers.hpp"

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

namespace {

/// True when the latest attempts crashed under several workers, all for the same reason apart from its
/// numbers.
bool share_cause(std::span<Run const> newest_first) {
  if (!is_crash_loop(newest_first)) return false;
  auto const latest = newest_first.first(kCrashLoop);
  auto const& first = latest.front();
  auto const reason = without_numbers(first.reason);
  return std::ranges::all_of(latest, [&](Run const& run) { return without_numbers(run.reason) == reason; }) &&
         std::ranges::any_of(latest, [&](Run const& run) { return run.worker != first.worker; });
}

}  // namespace

CrashScope scope_of_crash(std::span<Run const> of_worker, std::span<Run const> of_profile) {
  if (share_cause(of_profile)) return CrashScope::account;
  return is_crash_loop(of_worker) ? CrashScope::worker : CrashScope::task;
}

bool shares_profile(Run const& run, Run const& other) {
  return !run.agent.empty() && run.agent == other.agent && run.runner == other.runner;
}

}  // namespace andon::core
