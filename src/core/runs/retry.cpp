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

}  // namespace andon::core
