#pragma once

#include <sys/types.h>
#include <vector>

#include "os/processes/process_table.hpp"

namespace andon::os {

// A process that adopts orphans has children that it did not start. `spawn` and `reap` record the started
// ones, so the others can be found.

/// Orphaned descendants become children of this process instead of init.
void adopt_orphans();

/// The children of this process that it did not start, including zombies.
std::vector<ProcessRow> adopted_children();

/// Counts a started child among the adopted ones, because nobody waits for its end.
void disown(pid_t pid);

/// Reaps the adopted children that have ended.
void reap_adopted_children();

}  // namespace andon::os
