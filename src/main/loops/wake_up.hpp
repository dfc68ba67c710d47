#pragma once

#include "core/time/time.hpp"

namespace andon::main {

/// Detects that the machine slept or the process stood still, by a gap between two readings of the uptime.
class WakeUp {
 public:
  explicit WakeUp(core::Duration uptime) : last_(uptime) {}

  /// Whether more than 30 s passed since the last call.
  bool happened(core::Duration uptime) {
    bool const out = uptime - last_ > std::chrono::seconds{30};
    last_ = uptime;
    return out;
  }

 private:
  core::Duration last_;
};

}  // namespace andon::main
