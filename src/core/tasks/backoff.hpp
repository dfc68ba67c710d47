#pragma once

#include "core/time/time.hpp"

namespace andon::core {

/// Time to wait before attempt `attempt` + 1: 30 s doubling, at most 1 h, spread by ±20 %.
/// `jitter` is uniform in [0, 1).
Duration backoff(int attempt, double jitter);

}  // namespace andon::core
