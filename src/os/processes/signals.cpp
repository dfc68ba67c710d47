#include "os/processes/signals.hpp"

#include <atomic>
#include <cerrno>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>

#include "os/system_error.hpp"

namespace andon::os {

SignalQueue::SignalQueue(std::initializer_list<int> signals) {
  sigset_t wanted;
  ::sigemptyset(&wanted);
  for (int const signal : signals) ::sigaddset(&wanted, signal);
  if (auto const error = ::pthread_sigmask(SIG_BLOCK, &wanted, &before_); error != 0)
    throw SystemError("block signals", {}, error);
  file_.reset(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!file_) fail("make a signal descriptor");
}

SignalQueue::~SignalQueue() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::optional<int> SignalQueue::next() {
  signalfd_siginfo info{};
  while (::read(file_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) {
    if (errno == EINTR) continue;
    if (errno == EAGAIN) return std::nullopt;
    fail("read signals");
  }
  return static_cast<int>(info.ssi_signo);
}

void stop_job() {
  sigset_t stop, before;
  ::sigemptyset(&stop);
  ::sigaddset(&stop, SIGTSTP);
  ::pthread_sigmask(SIG_BLOCK, &stop, &before);
  ::kill(0, SIGTSTP);
  // The kernel ignores the signal in a job without a shell. SIGCONT forgets those that still wait.
  ::pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ignore_write_signals() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

void exit_when_interrupted() {
  constexpr int kInterrupted = 130;
  if (::signal(SIGINT, [](int) { ::_exit(kInterrupted); }) == SIG_IGN) ::signal(SIGINT, SIG_IGN);
}

void exit_quietly_after(std::chrono::milliseconds time, int code) {
  static std::atomic<int> exit_code;
  exit_code = code;
  ::signal(SIGALRM, [](int) { ::_exit(exit_code); });
  auto const whole = std::chrono::floor<std::chrono::seconds>(time);
  itimerval timer{};
  timer.it_value.tv_sec = whole.count();
  timer.it_value.tv_usec = std::chrono::microseconds{time - whole}.count();
  if (::setitimer(ITIMER_REAL, &timer, nullptr) != 0) fail("set a timer");
}

}  // namespace andon::os
