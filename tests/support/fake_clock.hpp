#pragma once

#include "os/processes/clock.hpp"

namespace andon::test {

/// A clock that stands still until it is told.
class FakeClock : public os::Clock {
 public:
  core::Instant now() const override { return now_; }
  core::Duration uptime() const override { return uptime_; }
  core::ClockReading reading() const override { return {now_, uptime_, asleep_, boot_}; }
  void advance(core::Duration by) {
    now_ += by;
    uptime_ += by;
  }
  /// Somebody sets the wall clock.
  void set_by(core::Duration by) { now_ += by; }
  /// The machine sleeps.
  void sleep(core::Duration by) {
    advance(by);
    asleep_ += by;
  }
  /// The machine starts anew, with that on the wall clock.
  void restart(core::Duration off) {
    now_ += off;
    uptime_ = core::Duration{10'000};
    asleep_ = {};
    boot_ += "+";
  }

 private:
  core::Instant now_{core::Duration{1'800'000'000'000}};
  core::Duration uptime_{1'000'000};
  core::Duration asleep_{};
  std::string boot_ = "boot";
};

}  // namespace andon::test
