#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "os/files/descriptor.hpp"
#include "tui/model/messages.hpp"

namespace andon::tui {

/// Brings what happened on other threads to the one that draws. Thread-safe.
class Mailbox {
 public:
  Mailbox();
  void post(Happening happening);
  std::vector<Happening> take();
  /// Readable while something waits to be taken.
  int handle() const { return wake_up_.get(); }

 private:
  os::Descriptor wake_up_;
  std::mutex mutex_;
  std::vector<Happening> waiting_;  ///< guarded by mutex_
};

}  // namespace andon::tui
