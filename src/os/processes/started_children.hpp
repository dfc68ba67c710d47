#pragma once

#include <mutex>
#include <set>
#include <sys/types.h>

namespace andon::os {

/// The children that `spawn` started and `reap` has not reaped yet. `spawn` and `reap` hold the mutex while
/// they change a child, so a holder never sees a half-made change.
struct StartedChildren {
  std::mutex mutex;
  std::set<pid_t> pids;
};
StartedChildren& started_children();

}  // namespace andon::os
