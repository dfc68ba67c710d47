#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "api/local_executor.hpp"
#include "main/commit_signal.hpp"
#include "main/loops/line_teller.hpp"
#include "main/loops/machine_look.hpp"
#include "main/loops/wake_up.hpp"
#include "os/processes/clock.hpp"
#include "runner/dispatch/dispatcher.hpp"
#include "runner/dispatch/local_run_host.hpp"
#include "runner/dispatch/run_keeper.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// The thread that steps the dispatcher and the run keeper: after every change of the board, and by time.
class RunnerLoop {
 public:
  RunnerLoop(api::LocalExecutor& executor, os::Clock const& clock, runner::Launcher launcher,
             os::DataDirectory const& data, std::function<std::string()> url, TellLine tell_line);
  /// Ends the thread. Agents continue under their supervising processes.
  ~RunnerLoop();

 private:
  void run(std::stop_token stop);
  void step();
  /// Starts a waiting dispatch request for an idle worker.
  void wait_for_work(std::string const& worker, std::function<void()> woken);

  api::LocalExecutor& executor_;
  os::Clock const& clock_;
  runner::Launcher launcher_;
  runner::OperationClient client_;
  runner::LocalRunHost host_;
  std::shared_ptr<std::atomic<bool>> is_gone_ = std::make_shared<std::atomic<bool>>(false);
  runner::Dispatcher dispatcher_;
  runner::RunKeeper keeper_;
  MachineLook machine_;
  LineTeller lines_;
  std::size_t live_ = 0;
  core::Duration reaped_{};
  WakeUp wake_up_;

  std::shared_ptr<CommitSignal> signal_;
  std::jthread thread_;
};

}  // namespace andon::main
