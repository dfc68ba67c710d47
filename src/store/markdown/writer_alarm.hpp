#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <utility>

#include "os/files/directory_watch.hpp"
#include "os/processes/clock.hpp"

namespace andon::store::markdown {

/// Wakes the writer when a watched directory changes, and at a given time without a report.
class WriterAlarm {
 public:
  using Steady = os::SteadyClock;
  using Time = Steady::time_point;

  explicit WriterAlarm(std::shared_ptr<os::DirectoryWatch> watch) : watch_(std::move(watch)) {}
  ~WriterAlarm() { end(); }
  WriterAlarm(WriterAlarm const&) = delete;
  WriterAlarm& operator=(WriterAlarm const&) = delete;

  void begin(std::function<void()> wake);
  void end() noexcept;
  /// Called when a batch of the writer begins. Until it ends the writer may be woken once more.
  void enter() { was_woken_ = is_woken_.exchange(false); }
  /// Called when the batch ends, with the next time at which the writer is to be woken without a report.
  void leave(Time due) noexcept;

 private:
  void watch(std::stop_token const& stop);

  std::shared_ptr<os::DirectoryWatch> const watch_;
  std::function<void()> wake_;
  std::atomic<Time> due_{Time::max()};
  std::atomic<bool> is_woken_ = false;  ///< whether the writer was asked to look and has not begun
  bool was_woken_ = false;
  std::jthread watcher_;
};

}  // namespace andon::store::markdown
