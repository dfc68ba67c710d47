#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "core/time/time.hpp"

namespace andon::mcp {

/// Functions that are to be called later. Thread-safe.
class Timers {
 public:
  /// `at` is an uptime.
  void add(core::Duration at, std::move_only_function<void()> act);
  /// Calls what is due.
  void step(core::Duration now);
  bool empty() const;

 private:
  mutable std::mutex mutex_;
  std::multimap<core::Duration, std::move_only_function<void()>> waiting_;
};

}  // namespace andon::mcp
