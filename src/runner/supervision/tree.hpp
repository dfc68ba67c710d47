#pragma once

#include <sys/types.h>

#include "core/time/time.hpp"

namespace andon::runner {

/// The time that the processes of a run have to end after they were killed.
inline constexpr core::Duration kSweepLimit{10'000};

/// Reaps children that have ended, except `spared`, whose status is still needed.
void reap_ended_children(pid_t spared);

/// Stops every descendant of this process, including those that are born meanwhile.
void freeze_children();
/// Continues them.
void thaw_children();

/// Kills every descendant of this process and waits until none is left. Repeats, because a child may start
/// others in new sessions meanwhile. False when processes remain at the limit.
bool kill_all_children(core::Duration limit);

}  // namespace andon::runner
