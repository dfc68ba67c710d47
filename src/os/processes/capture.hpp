#pragma once

#include <cstdint>
#include <string>

#include "core/time/time.hpp"
#include "os/processes/process.hpp"

namespace andon::os {

struct CaptureLimits {
  core::Duration time{5'000};
  std::size_t bytes = 1U << 20U;
  int stop = -1;                ///< a descriptor that becomes readable when the program must end
  std::int64_t file_bytes = 0;  ///< the size of each file that it writes; 0 for no limit
};

/// The output of a short program and how it ended.
struct Captured {
  WaitStatus status;
  std::string out;          ///< standard output, then standard error
  std::size_t printed = 0;  ///< bytes of `out` from standard output
  bool timed_out = false;
  bool cut = false;  ///< there was more than the limit on standard output or standard error
};

/// Runs a program to its end. Kills its process group at the time limit or when `stop` becomes readable.
/// Drops output beyond the limit and says so.
Captured capture(Command command, CaptureLimits limits = {});

}  // namespace andon::os
