#include "os/processes/process.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "os/files/file.hpp"
#include "os/processes/process_table.hpp"
#include "os/processes/started_children.hpp"
#include "os/system_error.hpp"

namespace andon::os {

std::string const& boot_id() {
  static std::string const id = [] {
    auto text = read_file("/proc/sys/kernel/random/boot_id", 64);
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }();
  return id;
}

namespace {

template <class Number>
bool read_number(std::string_view text, Number& out) {
  auto const end = text.data() + text.size();
  auto const parsed = std::from_chars(text.data(), end, out);
  return parsed.ec == std::errc{} && parsed.ptr == end;
}

/// Waits without reaping.
void await_end(pid_t pid) {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0)
    if (errno != EINTR) fail("wait for process", std::to_string(pid));
}

}  // namespace

std::string to_text(ProcessId const& process) {
  return std::to_string(process.pid) + "@" + std::to_string(process.started) + "@" + process.boot;
}

std::optional<ProcessId> parse_process(std::string_view text) {
  auto const first = text.find('@');
  auto const second = text.find('@', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  ProcessId process;
  process.boot = text.substr(second + 1);
  if (!read_number(text.substr(0, first), process.pid) || process.pid <= 0) return std::nullopt;
  if (!read_number(text.substr(first + 1, second - first - 1), process.started)) return std::nullopt;
  return process;
}

std::optional<ProcessId> identify(pid_t pid) {
  auto const row = process_row(pid);
  if (!row) return std::nullopt;
  return ProcessId{pid, row->started, boot_id()};
}

ProcessId own_identity() {
  auto own = identify(::getpid());
  if (!own) throw SystemError("identify", "this process", ESRCH);
  return *own;
}

bool is_alive(ProcessId const& process) {
  if (process.boot != boot_id()) return false;
  auto const row = process_row(process.pid);
  return row && row->started == process.started && row->state != 'Z' && row->state != 'X';
}

Descriptor open_process(pid_t pid) {
  Descriptor handle{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
  if (!handle && errno != ESRCH && errno != EINVAL) fail("open process", std::to_string(pid));
  return handle;
}

bool send_signal(ProcessId const& process, int signal) {
  auto const handle = open_process(process.pid);
  if (!handle || !is_alive(process))
    return false;  // the handle was opened first, so it belongs to the process that was just checked
  return ::syscall(SYS_pidfd_send_signal, handle.get(), signal, nullptr, 0) == 0;
}

WaitStatus reap(pid_t pid) {
  await_end(pid);
  auto& started = started_children();
  std::scoped_lock const lock{started.mutex};
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) fail("wait for process", std::to_string(pid));
  }
  started.pids.erase(pid);
  if (WIFSIGNALED(status)) return {{}, WTERMSIG(status)};
  return {WEXITSTATUS(status), {}};
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);
  return variables;
}

void hide_memory() {
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) fail("hide the memory of this process");
  rlimit const none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
}

void share_one_heap() { ::mallopt(M_ARENA_MAX, 1); }

}  // namespace andon::os
