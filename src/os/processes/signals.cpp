#include "os/processes/signals.hpp"

#include <cerrno>
#include <sys/signalfd.h>
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

void ignore_write_signals() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

void exit_when_interrupted() {
  constexpr int kInterrupted = 130;
  if (::signal(SIGINT, [](int) { ::_exit(kInterrupted); }) == SIG_IGN) ::signal(SIGINT, SIG_IGN);
}

}  // namespace andon::os
