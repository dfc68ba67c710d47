#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "api/local_executor.hpp"
#include "main/commit_signal.hpp"
#include "os/processes/clock.hpp"

namespace andon::main {

/// One pass over the board and its actions. Returns the time of the next step if nothing changes before.
using Step = std::function<core::Instant(core::Instant now)>;

/// The servers of a store that run a loop.
enum class Duty { every_server, leader };

/// A thread that runs a step by time and soon after every change of the board.
class StepLoop {
 public:
  /// Rests at least `between` after a step, even on a busy board. The name appears in the log.
  StepLoop(api::LocalExecutor& executor, os::Clock const& clock, std::string name, core::Duration between,
           Step step, Duty duty = Duty::every_server);
  ~StepLoop();

 private:
  void run(std::stop_token stop);
  core::Instant look();

  api::LocalExecutor& executor_;
  os::Clock const& clock_;
  std::string name_;
  core::Duration between_;
  Step step_;
  Duty duty_;
  std::shared_ptr<CommitSignal> signal_;
  std::jthread thread_;
};

}  // namespace andon::main
