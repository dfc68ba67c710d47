#pragma once

#include <memory>
#include <thread>

#include "api/local_executor.hpp"
#include "main/bell.hpp"
#include "os/clock.hpp"
#include "runner/scheduler.hpp"

namespace andon::main {

/// The thread that fires automations: when their time has come, and soon after a change of the board.
class AutomationLoop {
 public:
  AutomationLoop(api::LocalExecutor& executor, os::Clock const& clock);
  ~AutomationLoop();

 private:
  void run(std::stop_token stop);
  core::Instant step();

  os::Clock const& clock_;
  runner::Desk desk_;
  runner::Scheduler scheduler_{desk_};
  std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
  std::jthread thread_;
};

}  // namespace andon::main
