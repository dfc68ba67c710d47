#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "os/files/descriptor.hpp"
#include "os/processes/confinement.hpp"

namespace andon::os {

/// Identifies a process uniquely, even after its number is reused or the machine restarts.
struct ProcessId {
  pid_t pid = 0;
  std::uint64_t started = 0;  ///< in clock ticks since the start of the machine
  std::string boot;           ///< the kernel's random id of this boot
  bool operator==(ProcessId const&) const = default;
};

/// The kernel's random id of this boot.
std::string const& boot_id();

/// `PID@STARTED@BOOT`.
std::string to_text(ProcessId const& process);
std::optional<ProcessId> parse_process(std::string_view text);

/// The process that has this number now, or nothing.
std::optional<ProcessId> identify(pid_t pid);
ProcessId own_identity();
/// Whether exactly this process still runs; a zombie does not.
bool is_alive(ProcessId const& process);

/// A handle that stays with one process even if its number is reused; empty when there is no such process.
Descriptor open_process(pid_t pid);
/// Sends the signal to exactly this process; false when the process is gone.
bool send_signal(ProcessId const& process, int signal);

/// The start of a new process. It inherits no descriptor but 0, 1 and 2, and its signals are reset.
struct Command {
  std::filesystem::path program{};  ///< an absolute path, see `find_program`
  std::vector<std::string> argv{};
  std::vector<std::string> env{};  ///< `NAME=value`
  std::filesystem::path cwd{};     ///< empty: the directory of this process
  int cwd_handle = -1;             ///< an open directory to start in, instead of `cwd`
  int in = -1;                     ///< the sources of descriptors 0, 1 and 2; /dev/null where negative
  int out = -1;
  int err = -1;
  bool own_session = true;  ///< otherwise only a process group of its own
  int cgroup = -1;          ///< the open directory of the cgroup to start in, if the kernel can do that
  ConfinementHandle confinement{};  ///< a `Confinement` that the process and its children cannot leave
};

struct Child {
  pid_t pid = 0;
  Descriptor handle;  ///< readable when the process has ended
};

/// Starts a program without a shell. Throws a `SystemError` with its name when it cannot be executed.
Child spawn(Command const& command);

/// How a child ended.
struct WaitStatus {
  std::optional<int> code;
  std::optional<int> signal;
};
/// Waits for a child and reaps it.
WaitStatus reap(pid_t pid);

/// The variables of this process as `NAME=value`.
std::vector<std::string> own_environment();

/// Protects this process from other processes of the same user. They cannot read its memory, environment or
/// open files, nor trace it, and it leaves no core file.
void hide_memory();

/// Makes all threads of this process allocate from one heap. Commands use it: their few threads take turns,
/// and a heap for each costs page faults. Call it before there is a second thread.
void share_one_heap();

}  // namespace andon::os
