#pragma once

#include <string>

#include "core/time.hpp"
#include "os/process.hpp"

namespace andon::os {

struct CaptureLimits {
  core::Duration time{5'000};
  std::size_t bytes = 1U << 20U;
};

/// What a short program said before it ended.
struct Captured {
  WaitStatus status;
  std::string out;          ///< standard output, then what came on standard error
  std::size_t printed = 0;  ///< bytes of it that came on standard output
  bool timed_out = false;
};

/// Runs a program to its end, or kills its process group at the time limit. Output beyond the limit is
/// dropped.
Captured capture(Command command, CaptureLimits limits = {});

}  // namespace andon::os
