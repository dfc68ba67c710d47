#pragma once

#include <csignal>
#include <initializer_list>
#include <optional>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// Receives signals through a descriptor instead of handlers. Make it before any thread is started, so that
/// the signals are blocked in all of them.
class SignalQueue {
 public:
  explicit SignalQueue(std::initializer_list<int> signals);
  SignalQueue(SignalQueue const&) = delete;
  ~SignalQueue();

  int handle() const { return file_.get(); }
  /// The next signal that has arrived, or nothing.
  std::optional<int> next();

 private:
  sigset_t before_{};
  Descriptor file_;
};

/// A write to a pipe or socket whose other end is gone, or beyond the size a file may have, shall be an
/// error, not a death.
void ignore_write_signals();

/// Ctrl-C ends the process at once with 130, the code that shells give to an interrupted command; one that
/// was started so as to ignore it goes on.
void exit_when_interrupted();

}  // namespace andon::os
