#include "os/spawn_in_cgroup.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/descriptor.hpp"
#include "os/pipe.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

constexpr int kReport = 3;  ///< the child's descriptor for the reason of a failure; closed by the exec

/// Between fork and exec only calls that are safe in a signal handler: another thread may have held any lock.
[[noreturn]] void become(ReadyCommand const& command, int report) {
  auto const give_up = [](int to) {
    int const error = errno;
    [[maybe_unused]] auto const n = ::write(to, &error, sizeof error);
    ::_exit(127);
  };
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  if (command.own_session ? ::setsid() < 0 : ::setpgid(0, 0) != 0) give_up(report);
  for (int stream = 0; stream < 3; ++stream)
    if (::dup2(command.streams[static_cast<std::size_t>(stream)], stream) < 0) give_up(report);
  if (report != kReport && ::dup3(report, kReport, O_CLOEXEC) < 0) give_up(report);
  if (::syscall(SYS_close_range, kReport + 1, ~0U, 0) != 0) give_up(kReport);
  if (command.cwd && ::chdir(command.cwd) != 0) give_up(kReport);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(command.program, command.argv, command.env);
  give_up(kReport);
  ::_exit(127);
}

/// No handler of ours may run in the child before it is somebody else.
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

/// Zero once the program runs.
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
  clone_args how{};
  how.flags = CLONE_INTO_CGROUP;
  how.exit_signal = SIGCHLD;
  how.cgroup = static_cast<std::uint64_t>(command.cgroup);
  pid_t pid = 0;
  {
    BlockedSignals const blocked;
    pid = static_cast<pid_t>(::syscall(SYS_clone3, &how, sizeof how));
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
