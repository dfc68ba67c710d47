#include "core/tasks/backoff.hpp"

#include <algorithm>

namespace andon::core {

Duration backoff(int attempt, double jitter) {
  constexpr Duration kFirst = std::chrono::seconds{30};
  constexpr Duration kLongest = std::chrono::hours{1};
  auto const doublings = std::clamp(attempt - 1, 0, 7);
  auto const wait = std::min(kFirst * (1 << doublings), kLongest);
  return Duration{static_cast<Duration::rep>(static_cast<double>(wait.count()) * (0.8 + 0.4 * jitter))};
}

}  // namespace andon::core
