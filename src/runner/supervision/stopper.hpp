#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/time/time.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Steps through the signals that end an agent. `kill` interrupts a polite stop.
class Stopper {
 public:
  Stopper(std::vector<StopStep> polite, core::Duration kill_grace);
  Stopper(Stopper const&) = delete;

  void stop(core::Duration now) { begin(polite_, now); }
  void kill(core::Duration now) { begin(kill_, now); }
  bool is_running() const { return steps_ != nullptr; }
  bool is_killing() const { return steps_ == &kill_; }

  /// The signal to send now, if one is due.
  std::optional<int> step(core::Duration now);
  /// The time of the next signal; nothing without one.
  std::optional<core::Duration> next() const;

 private:
  void begin(std::vector<StopStep> const& steps, core::Duration now);

  std::vector<StopStep> polite_;
  std::vector<StopStep> kill_;
  std::vector<StopStep> const* steps_ = nullptr;
  std::size_t index_ = 0;
  core::Duration due_{};
};

}  // namespace andon::runner
