#pragma once

#include <string>

#include "core/time/time.hpp"
#include "os/processes/process.hpp"

namespace andon::os {

struct CaptureLimits {
  core::Duration time{5'000};
  std::size_t bytes = 1U << 20U;
  int stop = -1;  ///< a descriptor that is readable when the program shall end at once
};

/// What a short program said before it ended.
struct Captured {
  WaitStatus status;
  std::string out;          ///< standard output, then what came on standard error
  std::size_t printed = 0;  ///< bytes of it that came on standard output
  bool timed_out = false;
};

/// Runs a program to its end, or kills its process group at the time limit or when it shall stop. Output
/// beyond the limit is dropped.
Captured capture(Command command, CaptureLimits limits = {});

}  // namespace andon::os
