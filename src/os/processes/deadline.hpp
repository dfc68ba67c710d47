#pragma once

#include <chrono>

#include "os/processes/clock.hpp"

namespace andon::os {

/// The time at which something on this machine is given up. It is never stored.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds most) : end_(SteadyClock::now() + most) {}
  bool is_over() const { return SteadyClock::now() >= end_; }

 private:
  SteadyClock::time_point end_;
};

}  // namespace andon::os
