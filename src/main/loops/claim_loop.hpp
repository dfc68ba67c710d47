#pragma once

#include "main/loops/step_loop.hpp"
#include "main/loops/wake_up.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Puts back tasks whose claim is over, every 15 s, also in a server that starts no agents. After the machine
/// slept, it first extends every live claim by one lease.
class ClaimLoop {
 public:
  ClaimLoop(api::LocalExecutor& executor, os::Clock const& clock);

 private:
  core::Instant step(core::Instant now);
  void put_back_lapsed();

  os::Clock const& clock_;
  runner::OperationClient client_;
  WakeUp wake_up_;
  core::Duration due_{};  ///< the uptime of the next sweep
  StepLoop loop_;
};

}  // namespace andon::main
