#pragma once

#include <sys/types.h>
#include <vector>

#include "os/processes/process_table.hpp"

namespace andon::os {

// A process that adopts orphans has children that it never started. `spawn` and `reap` keep the books.

/// From now on orphans below this process become its children instead of the machine's.
void adopt_orphans();

/// The children of this process that it did not start, zombies too.
std::vector<ProcessRow> adopted_children();

/// Forgets those of them that have ended.
void reap_adopted_children();

}  // namespace andon::os
