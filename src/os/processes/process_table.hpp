#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace andon::os {

/// The fields of one process in /proc.
struct ProcessRow {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  char state = '?';
  std::uint64_t started = 0;  ///< in clock ticks since the start of the machine
};

std::optional<ProcessRow> process_row(pid_t pid);
/// Visits all processes of this machine (of this PID namespace), the youngest first, since those may end
/// soonest.
void visit_processes(std::function<void(ProcessRow const&)> const& visit);
std::vector<ProcessRow> process_table();
/// The process number that the kernel gave out last; numbers wrap around. While it is unchanged, no process
/// and no thread was born.
pid_t newest_process();
/// The children of this process, including zombies.
std::vector<ProcessRow> own_children();
/// The arguments of a process with a zero byte behind each, at most `limit` bytes (proc(5),
/// /proc/PID/cmdline). Empty for a process that has ended.
std::string arguments_of(pid_t pid, std::size_t limit);
/// Whether a process was started with `NAME=value` in its environment. False when this user may not read
/// that.
bool was_started_with(pid_t pid, std::string_view variable);
/// Whether a process is inside execve(2). During that moment, which a busy machine prolongs, it shows neither
/// arguments nor environment. Also true for some processes that are ending.
bool is_between_programs(ProcessRow const& row);

/// The directory in which a process works; empty when this user may not read that.
std::string directory_of(pid_t pid);
/// The files that a process has open, by path; none when this user may not read that.
std::vector<std::string> open_files_of(pid_t pid);

/// The file that a process has as its standard input, as `DEVICE:INODE`; empty when this user may not read
/// that.
std::string input_of(pid_t pid);

}  // namespace andon::os
