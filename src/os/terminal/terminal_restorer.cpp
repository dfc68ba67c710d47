#include "os/terminal/terminal_restorer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <poll.h>
#include <string_view>
#include <unistd.h>

#include "os/terminal/held_messages.hpp"

// Everything that a handler reaches is set before the handlers are installed, and changed only after they are
// gone.

namespace andon::os {
namespace {

/// The signals that end a process by default, but for those that the program waits for or that none can
/// handle.
constexpr std::array kFatal{SIGSEGV, SIGBUS,    SIGILL,  SIGFPE,  SIGABRT, SIGQUIT,
                            SIGSYS,  SIGTRAP,   SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2,
                            SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR,  SIGSTKFLT};
constexpr std::string_view kLeaveMouse = "\x1b[?1006l\x1b[?1002l";
constexpr std::string_view kLeave = "\x1b[?2004l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";
constexpr int kWait = 100;  // ms
constexpr int kWaits = 10;
constexpr std::size_t kPiece = 64;  // what a line takes without blocking when it takes something
constexpr std::size_t kStack = 32768;

TerminalBefore armed{};
pid_t armed_in = 0;  ///< the process; 0 while none is armed
std::array<struct sigaction, kFatal.size()> handlers_before{};
std::array<std::byte, kStack> stack{};
stack_t stack_before{};

/// Returns when the bytes are written, the terminal is gone, or it took nothing for too long.
void write_within_a_second(int file, std::string_view bytes, int& waits) {
  while (!bytes.empty() && waits > 0) {
    pollfd waited{file, POLLOUT, 0};
    if (::poll(&waited, 1, kWait) <= 0) --waits;
    if ((waited.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return;
    if ((waited.revents & POLLOUT) == 0) continue;
    auto const count = ::write(file, bytes.data(), std::min(bytes.size(), kPiece));
    if (count < 0 && errno != EAGAIN && errno != EINTR) return;
    if (count <= 0) --waits;
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

/// False when the shell took the terminal for another job, whose mode must stay.
bool is_in_foreground(int file) {
  auto const group = ::tcgetpgrp(file);
  return group <= 0 || group == ::getpgrp();
}

/// Holds back SIGTTOU, which would stop a job in the background that writes here.
class WithoutStop {
 public:
  WithoutStop() {
    sigset_t wanted;
    ::sigemptyset(&wanted);
    ::sigaddset(&wanted, SIGTTOU);
    ::pthread_sigmask(SIG_BLOCK, &wanted, &before_);
  }
  WithoutStop(WithoutStop const&) = delete;
  ~WithoutStop() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

extern "C" void restore_at_end(int signal) {
  restore_terminal();
  show_held_messages();  // one of them may say why
  ::raise(signal);       // comes with the default action when this handler returns
}

}  // namespace

void restore_terminal() {
  if (armed_in != ::getpid()) return;
  WithoutStop const without_stop;
  int waits = kWaits;
  if (armed.with_mouse) write_within_a_second(armed.out, kLeaveMouse, waits);
  write_within_a_second(armed.out, kLeave, waits);
  if (is_in_foreground(armed.in)) ::tcsetattr(armed.in, TCSANOW, &armed.before);
}

void arm_restorer(TerminalBefore const& before) {
  disarm_restorer();
  armed = before;
  armed_in = ::getpid();
  stack_t other{};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  ::sigaltstack(&other, &stack_before);
  struct sigaction action{};
  action.sa_handler = restore_at_end;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < kFatal.size(); ++i) ::sigaction(kFatal[i], &action, &handlers_before[i]);
}

void disarm_restorer() {
  if (armed_in != ::getpid()) return;
  for (std::size_t i = 0; i < kFatal.size(); ++i) ::sigaction(kFatal[i], &handlers_before[i], nullptr);
  ::sigaltstack(&stack_before, nullptr);
  armed_in = 0;
}

}  // namespace andon::os
