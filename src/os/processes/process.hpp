#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// Tells a process from every other one, also after its number was given to another or the machine restarted.
struct ProcessId {
  pid_t pid = 0;
  std::uint64_t started = 0;  ///< in clock ticks since the start of the machine
  std::string boot;           ///< the kernel's random id of this start
  bool operator==(ProcessId const&) const = default;
};

/// The kernel's random id of this start of the machine.
std::string const& boot_id();

/// `PID@STARTED@BOOT`.
std::string to_text(ProcessId const& process);
std::optional<ProcessId> parse_process(std::string_view text);

/// Who has this number now, or nothing.
std::optional<ProcessId> identify(pid_t pid);
ProcessId own_identity();
/// Whether that very process still runs; a zombie does not.
bool is_alive(ProcessId const& process);

/// A handle that stays with one process whatever becomes of its number; empty when there is no such process.
Descriptor open_process(pid_t pid);
/// Signals that very process or none; false when it is gone.
bool send_signal(ProcessId const& process, int signal);

/// What a new process gets. Every descriptor of ours but the three is closed in it; its signals are reset.
struct Command {
  std::filesystem::path program{};  ///< resolved beforehand, see `find_program`
  std::vector<std::string> argv{};
  std::vector<std::string> env{};  ///< `NAME=value`
  std::filesystem::path cwd{};     ///< ours when empty
  int cwd_handle = -1;             ///< an open directory to start in, instead of `cwd`
  int in = -1;                     ///< descriptors to become 0, 1 and 2; /dev/null where negative
  int out = -1;
  int err = -1;
  bool own_session = true;  ///< else only a process group of its own
  int cgroup = -1;          ///< the open directory of the cgroup it is born in, where the kernel will do that
  int confinement = -1;     ///< a `Confinement` it never leaves, nor do its children
};

struct Child {
  pid_t pid = 0;
  Descriptor handle;  ///< readable when the process has ended
};

/// Starts a program without a shell. Throws a `SystemError` that names it when it cannot be executed.
Child spawn(Command const& command);

/// How a child ended.
struct WaitStatus {
  std::optional<int> code;
  std::optional<int> signal;
};
/// Waits for a child and forgets it.
WaitStatus reap(pid_t pid);

/// The variables of this process as `NAME=value`.
std::vector<std::string> own_environment();

/// From now on no other process of the same user can look into this one (its memory, its environment, what it
/// has open) or stop it by tracing, and it leaves no core file.
void hide_memory();

/// Lets all threads of this process allocate from one heap. For commands: their few threads take turns, and a
/// heap for each costs page faults. Call it before there is a second thread.
void share_one_heap();

}  // namespace andon::os
