#pragma once

#include <sys/types.h>

#include "core/time/time.hpp"

namespace andon::runner {

/// Forgets children that have ended, except `spared`, whose status somebody still wants.
void reap_ended_children(pid_t spared);

/// Stops every process below this one where it is, those too that are being born meanwhile.
void freeze_children();
/// Lets them go on.
void thaw_children();

/// Kills every process below this one and waits until none is left. Repeats, because a child may have started
/// others in sessions of their own meanwhile. False when some would not die in time.
bool kill_all_children(core::Duration limit);

}  // namespace andon::runner
