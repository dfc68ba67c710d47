#pragma once

#include "os/clock.hpp"

namespace andon::test {

/// A clock that stands still until it is told.
class FakeClock : public os::Clock {
 public:
  core::Instant now() const override { return now_; }
  core::Duration uptime() const override { return uptime_; }
  void advance(core::Duration by) {
    now_ += by;
    uptime_ += by;
  }

 private:
  core::Instant now_{core::Duration{1'800'000'000'000}};
  core::Duration uptime_{1'000'000};
};

}  // namespace andon::test
