#pragma once

#include "service/change.hpp"

namespace andon::service {

/// What follows from a saved change, in the same transaction: tasks that depend on it learn that it is done
/// or open again, its parent's progress moves, and when it is done its chain becomes tasks, exactly once.
void follow_up(Unit& u, Change const& change);

/// Recounts the open dependencies of a task from its list.
std::int64_t open_dependencies(Unit& u, core::Task const& task);

}  // namespace andon::service
