#pragma once

#include <cstdint>
#include <sys/types.h>
#include <vector>

#include "core/model/resource_limits.hpp"

namespace andon::os {

/// The processes below a process, found through the lists of children in /proc, so that the cost does not
/// depend on the other processes of the machine. Looks at a bounded number of them.
std::vector<pid_t> descendants_of(pid_t pid);

/// The resident memory of processes together, in bytes. Memory that they share counts once for the process
/// that shares most (proc(5), /proc/PID/statm).
std::int64_t resident_memory(std::vector<pid_t> const& processes);

/// The use of the children of this process that ended and were waited for, with their own: the processor time
/// of all, and the memory of the largest one (getrusage(2)).
core::ResourceUse use_of_ended_children();

/// How many processes the kernel has ended on this machine because it had no memory left (proc(5),
/// /proc/vmstat); 0 where it does not tell.
std::int64_t processes_ended_without_memory();

/// Lets the kernel end this process before others when the machine has no memory left. Its children inherit
/// that (proc(5), /proc/PID/oom_score_adj). Does nothing for a process that has ended.
void end_first_without_memory(pid_t pid);

/// Lowers the share of the processors of a session's leader and its children to a weight, where 100 is usual
/// (sched(7), "The autogroup feature").
void set_cpu_weight(pid_t pid, std::int64_t weight);

/// Limits the size of each file that a process and its children write.
void limit_file_size(pid_t pid, std::int64_t bytes);

}  // namespace andon::os
