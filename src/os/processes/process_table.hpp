#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace andon::os {

/// What /proc tells of one process.
struct ProcessRow {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  char state = '?';
  std::uint64_t started = 0;  ///< in clock ticks since the start of the machine
};

std::optional<ProcessRow> process_row(pid_t pid);
/// Visits all processes of this machine (of this PID namespace), the youngest first: those are the ones that
/// may be gone soon.
void visit_processes(std::function<void(ProcessRow const&)> const& visit);
std::vector<ProcessRow> process_table();
/// The number given last; numbers go round. While it stays the same, no process and no thread was born.
pid_t newest_process();
/// The children of this process, zombies too.
std::vector<ProcessRow> own_children();
/// Whether a process was started with `NAME=value` in its environment. False where we may not look.
bool was_started_with(pid_t pid, std::string_view variable);
/// Whether a process is on its way from one program to the next: for that moment of execve(2), which a busy
/// machine may draw out, it shows neither arguments nor environment. True also of some that are ending.
bool is_between_programs(ProcessRow const& row);

/// Which file a process has as its standard input, as `DEVICE:INODE`; empty where we may not look.
std::string input_of(pid_t pid);

}  // namespace andon::os
