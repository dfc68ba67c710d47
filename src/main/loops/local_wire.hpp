#pragma once

#include "api/local_executor.hpp"
#include "main/loops/runner_wire.hpp"
#include "os/data/data_directory.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// The wire of the runner in a server. While it lives, the store knows that this server has a runner.
class LocalWire final : public RunnerWire {
 public:
  LocalWire(api::LocalExecutor& executor, os::DataDirectory const& data);
  ~LocalWire() override;

  api::Executor& executor() override { return executor_; }
  std::string const& name() const override { return executor_.server(); }
  bool is_remote() const override { return false; }
  std::shared_ptr<CommitSignal> signal() override { return signal_; }
  /// Starts a `dispatch_next` that waits. If it opens a run, its commit causes the next step, in which the
  /// keeper begins the run.
  void wait_for_work(std::string const& worker, std::function<void()> woken) override;
  void note_wake_up() override;

 private:
  api::LocalExecutor& executor_;
  runner::OperationClient client_;
  std::shared_ptr<CommitSignal> signal_;
  std::shared_ptr<std::atomic<bool>> is_gone_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace andon::main
