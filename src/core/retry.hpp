#pragma once

#include "core/time.hpp"

namespace andon::core {

/// Time to wait before attempt `attempt` + 1: 30 s doubling, at most 1 h, spread by ±20 %.
/// `chance` is uniform in [0, 1).
Duration backoff(int attempt, double chance);

}  // namespace andon::core
