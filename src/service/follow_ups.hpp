#pragma once

#include "service/change.hpp"

namespace andon::service {

/// What follows from a saved change, in the same transaction: tasks that depend on it learn that it is done
/// or open again, its parent's progress moves, and when it is done its chain becomes tasks, exactly once.
void follow_up(Unit& u, Change const& change);

/// How many of a task's sub-tasks are finished; nothing when it has none. It is counted, not kept.
std::optional<core::Progress> progress_of(Unit& u, core::TaskId parent);
/// Tells everybody that the progress of a parent, if there is one, is another.
void update_progress(Unit& u, std::optional<core::TaskId> parent);

/// Recounts the open dependencies of a task from its list.
std::int64_t open_dependencies(Unit& u, core::Task const& task);

}  // namespace andon::service
