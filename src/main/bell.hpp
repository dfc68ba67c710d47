#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace andon::main {

/// Rung by every commit; outlives whoever listens.
struct Bell {
  std::mutex mutex;
  std::condition_variable_any rung;
  std::int64_t seq = 0;
  bool changed = true;
};

}  // namespace andon::main
