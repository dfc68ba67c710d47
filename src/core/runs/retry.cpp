#include "core/runs/retry.hpp"

#include <algorithm>

namespace andon::core {

Duration backoff(int attempt, double jitter) {
  constexpr Duration kFirst = std::chrono::seconds{30};
  constexpr Duration kLongest = std::chrono::hours{1};
  auto const doublings = std::clamp(attempt - 1, 0, 7);
  auto const wait = std::min(kFirst * (1 << doublings), kLongest);
  return Duration{static_cast<Duration::rep>(static_cast<double>(wait.count()) * (0.8 + 0.4 * jitter))};
}

bool is_crash(Run const& run) {
  return run.outcome == Outcome::failed && run.said.empty() && run.ended && *run.ended - run.started < kCrash;
}

bool is_crash_loop(std::span<Run const> newest_first) {
  if (newest_first.size() < kCrashLoop) return false;
  auto const latest = newest_first.first(kCrashLoop);
  return std::ranges::all_of(latest, is_crash) &&
         std::ranges::any_of(latest, [&](Run const& run) { return run.task != latest.front().task; });
}

}  // namespace andon::core
