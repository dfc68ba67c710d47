#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "main/loops/machine_look.hpp"
#include "main/loops/run_news.hpp"
#include "main/loops/runner_wire.hpp"
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
  /// The references outlive the object.
  RunnerLoop(RunnerWire& wire, os::Clock const& clock, runner::Launcher launcher,
             os::DataDirectory const& data, std::function<std::string()> url, RunNews& news);
  /// Ends the thread. Agents continue under their supervising processes.
  ~RunnerLoop();

  /// True when no run was live at the end of a whole step.
  bool is_idle() const { return !must_end_all_ && live_ == 0; }
  /// Lets the next step end every agent, because the server takes no word of this runner any more.
  void end_all() { must_end_all_ = true; }

 private:
  static constexpr int kNotStepped = -1;

  void run(std::stop_token stop);
  void step();

  RunnerWire& wire_;
  os::Clock const& clock_;
  runner::OperationClient client_;
  runner::LocalRunHost host_;
  runner::Dispatcher dispatcher_;
  runner::RunKeeper keeper_;
  MachineLook machine_;
  RunNews& news_;
  core::Duration const watch_every_;
  std::atomic<int> live_ = kNotStepped;  ///< runs that have not ended, as of the last step
  std::atomic<bool> must_end_all_ = false;
  core::Duration reaped_{};
  WakeUp wake_up_;

  std::shared_ptr<CommitSignal> signal_;
  std::jthread thread_;
};

}  // namespace andon::main
