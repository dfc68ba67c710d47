#include "os/processes/spawn_in_cgroup.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/files/descriptor.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/socket_filter.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

constexpr int kNotExecuted = 127;           ///< as a shell uses it; nobody reads it
constexpr std::size_t kSignalSetBytes = 8;  ///< the size of the kernel's signal set, for 64 signals
constexpr int kReport = 3;  ///< the child's descriptor for the reason of a failure; closed by the exec

[[noreturn]] void give_up(int report) {
  int const error = errno;
  ::syscall(SYS_write, report, &error, sizeof error);
  for (;;) ::syscall(SYS_exit_group, kNotExecuted);
}

/// Resets all signals, since an ignored one would stay ignored after the exec.
void reset_signals() {
  unsigned long const as_usual[4]{};  // the kernel's `struct sigaction`: SIG_DFL, no flags, an empty mask
  for (int signal = 1; signal < NSIG; ++signal)
    ::syscall(SYS_rt_sigaction, signal, as_usual, nullptr, kSignalSetBytes);
}

/// Terminals that the kernel refuses now, for example at its limit of namespaces, stay closed.
void give_terminals(ReadyCommand const& command, int report) {
  bool has_begun = false;
  auto const error = command.terminals->enter(command.ruleset, has_begun);
  if (error == 0 || !has_begun) return;
  errno = error;
  give_up(report);
}

void confine(int ruleset, int report) {
  if (::syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up(report);
  if (::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) give_up(report);
}

/// An exec gives root capabilities again, except under PR_SET_NO_NEW_PRIVS, which `confine` sets.
void take_capabilities(int report) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct const none[_LINUX_CAPABILITY_U32S_3]{};
  if (::syscall(SYS_capset, &header, none) != 0) give_up(report);
}

/// Prepares the child and executes the program. Another thread may have held any lock at the fork. So the
/// child makes only raw system calls: sanitizers' wrappers of the C library take locks, too.
[[noreturn]] void become(ReadyCommand const& command, int report) {
  reset_signals();
  if (command.own_session ? ::syscall(SYS_setsid) < 0 : ::syscall(SYS_setpgid, 0, 0) != 0) give_up(report);
  for (int stream = 0; stream < 3; ++stream)
    if (::syscall(SYS_dup3, command.streams[static_cast<std::size_t>(stream)], stream, 0) < 0)
      give_up(report);
  if (command.cwd_handle >= 0 && ::syscall(SYS_fchdir, command.cwd_handle) != 0) give_up(report);
  if (command.cwd && ::syscall(SYS_chdir, command.cwd) != 0) give_up(report);
  if (command.terminals) give_terminals(command, report);
  if (command.ruleset >= 0) confine(command.ruleset, report);
  if (command.takes_capabilities) take_capabilities(report);
  if (command.has_held_ports) refuse_other_sockets();
  if (report != kReport && ::syscall(SYS_dup3, report, kReport, O_CLOEXEC) < 0) give_up(report);
  if (::syscall(SYS_close_range, kReport + 1, ~0U, 0) != 0) give_up(kReport);
  unsigned long const nothing = 0;
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &nothing, nullptr, kSignalSetBytes);
  ::syscall(SYS_execve, command.program, command.argv, command.env);
  give_up(kReport);
}

pid_t fork_into(int cgroup) {
  clone_args how{};
  how.flags = CLONE_INTO_CGROUP;
  how.exit_signal = SIGCHLD;
  how.cgroup = static_cast<std::uint64_t>(cgroup);
  return static_cast<pid_t>(::syscall(SYS_clone3, &how, sizeof how));
}

/// Forks without the fork handlers of the C library.
pid_t fork_directly() {
  return static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

/// Blocks all signals, so that none of this process's handlers runs in the child before the exec.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  BlockedSignals(BlockedSignals const&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Returns zero once the program runs.
int reported_error(Descriptor const& report) {
  int error = 0;
  ssize_t n = 0;
  do n = ::read(report.get(), &error, sizeof error);
  while (n < 0 && errno == EINTR);
  return n == sizeof error ? error : 0;
}

}  // namespace

std::optional<Placed> spawn_in_cgroup(ReadyCommand const& command) {
  auto report = make_pipe();
  Descriptor above_the_streams{::fcntl(report.write.get(), F_DUPFD_CLOEXEC, kReport)};
  if (!above_the_streams) fail("copy a descriptor");
  report.write.reset();
  pid_t pid = 0;
  {
    BlockedSignals const blocked;
    pid = command.cgroup < 0 ? fork_directly() : fork_into(command.cgroup);
    if (pid == 0) become(command, above_the_streams.get());
  }
  if (pid < 0) return std::nullopt;
  above_the_streams.reset();
  Placed const placed{pid, reported_error(report.read)};
  if (placed.error == 0) return placed;
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (placed.error == ENOSYS) return std::nullopt;
  return placed;
}

}  // namespace andon::os
