#pragma once

#include <mutex>
#include <set>
#include <sys/types.h>

namespace andon::os {

/// The children that `spawn` started and `reap` has not forgotten yet. Held while one is being born or
/// forgotten, so that whoever holds it sees no half of that.
struct StartedChildren {
  std::mutex mutex;
  std::set<pid_t> pids;
};
StartedChildren& started_children();

}  // namespace andon::os
