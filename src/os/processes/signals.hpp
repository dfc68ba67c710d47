#pragma once

#include <chrono>
#include <csignal>
#include <initializer_list>
#include <optional>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// Receives signals through a descriptor instead of handlers. Construct it before any thread starts, so that
/// all threads block the signals.
class SignalQueue {
 public:
  explicit SignalQueue(std::initializer_list<int> signals);
  SignalQueue(SignalQueue const&) = delete;
  ~SignalQueue();

  int handle() const { return file_.get(); }
  /// The next signal that arrived, or nothing.
  std::optional<int> next();

 private:
  sigset_t before_{};
  Descriptor file_;
};

/// Stops this process and the others of its job, as Ctrl-Z does, and returns when a shell continues them. It
/// returns at once where no shell could, as on a terminal that runs only this program.
void stop_job();

/// Writes to a closed pipe or socket, or beyond the file size limit, fail with an error instead of ending the
/// process.
void ignore_write_signals();

/// Ctrl-C ends the process at once with exit code 130, as shells do for an interrupted command. A process
/// that was started with SIGINT ignored keeps ignoring it.
void exit_when_interrupted();

/// The process ends with that exit code after that time, also in the middle of a wait. Output that is still
/// in a buffer is lost.
void exit_quietly_after(std::chrono::milliseconds time, int code = 0);

}  // namespace andon::os
