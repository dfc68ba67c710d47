#pragma once

#include <functional>
#include <vector>

#include "core/model/event.hpp"
#include "os/processes/mutex.hpp"

namespace andon::store::engine {

/// The listeners that hear the last event of each durable commit. Thread-safe, except `news`.
class CommitListeners {
 public:
  using Listener = std::function<void(core::EventSeq last_seq)>;

  /// Events up to `last` are no news.
  explicit CommitListeners(core::EventSeq last) : announced_(last) {}
  void add(Listener listener) {
    os::MutexLock const lock{mutex_};
    listeners_.push_back(std::move(listener));
  }
  /// The event when it is newer than all events of earlier calls, otherwise 0.
  core::EventSeq news(core::EventSeq last) {
    if (last <= announced_) return {};
    return announced_ = last;
  }
  /// The next `news` counts whatever its event, because others have appended some, or the last ones are lost.
  void expect_news() { announced_ = 0; }
  void tell(core::EventSeq last) {
    auto const listeners = all();
    for (auto const& listener : listeners) listener(last);
  }

 private:
  std::vector<Listener> all() {
    os::MutexLock const lock{mutex_};
    return listeners_;
  }

  os::Mutex mutex_;
  std::vector<Listener> listeners_ GUARDED_BY(mutex_);
  core::EventSeq announced_;  ///< used by the writer's thread only
};

}  // namespace andon::store::engine
