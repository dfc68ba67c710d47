#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

#include "api/local_executor.hpp"

namespace andon::main {

/// Notified by every commit. Shared, because it must outlive each listener.
struct CommitSignal {
  std::mutex mutex;
  std::condition_variable_any notified;
  core::EventSeq seq = 0;
  bool changed = true;
};

/// A signal that every later commit of the executor notifies.
inline std::shared_ptr<CommitSignal> commit_signal_of(api::LocalExecutor& executor) {
  auto signal = std::make_shared<CommitSignal>();
  executor.on_commit([signal](core::EventSeq seq) {
    std::scoped_lock lock(signal->mutex);
    signal->seq = seq;
    signal->changed = true;
    signal->notified.notify_all();
  });
  return signal;
}

}  // namespace andon::main
