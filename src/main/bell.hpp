#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "api/local_executor.hpp"

namespace andon::main {

/// Rung by every commit; outlives whoever listens.
struct Bell {
  std::mutex mutex;
  std::condition_variable_any rung;
  std::int64_t seq = 0;
  bool changed = true;
};

/// A bell that the executor's commits ring from now on.
inline std::shared_ptr<Bell> bell_of(api::LocalExecutor& executor) {
  auto bell = std::make_shared<Bell>();
  executor.on_commit([bell](std::int64_t seq) {
    std::scoped_lock lock(bell->mutex);
    bell->seq = seq;
    bell->changed = true;
    bell->rung.notify_all();
  });
  return bell;
}

}  // namespace andon::main
