#pragma once

#include <set>
#include <string>

#include "main/loops/step_loop.hpp"
#include "main/loops/wake_up.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Puts back tasks whose claim is over, every 15 s, also in a server that starts no agents. After the machine
/// slept, it first extends the live claims of its runs by one lease. It also ends the runs of servers that
/// are gone, when their claims are over: by then their supervising processes have ended the agents.
class ClaimLoop {
 public:
  ClaimLoop(api::LocalExecutor& executor, os::Clock const& clock);

 private:
  core::Instant step(core::Instant now);
  void put_back_lapsed();
  void end_runs_of_gone_servers();
  void end_runs_of_gone_runners();
  std::set<std::string> living_servers() const;

  api::LocalExecutor& executor_;
  os::Clock const& clock_;
  runner::OperationClient client_;
  WakeUp wake_up_;
  core::Duration due_{};  ///< the uptime of the next sweep
  StepLoop loop_;
};

}  // namespace andon::main
