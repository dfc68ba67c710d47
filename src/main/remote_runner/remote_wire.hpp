#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "main/loops/runner_wire.hpp"
#include "main/remote_runner/runner_link.hpp"

namespace andon::main {

/// The wire of a runner on another host. Idle workers wait for work in few requests that the server holds
/// open, each for several workers.
class RemoteWire final : public RunnerWire {
 public:
  explicit RemoteWire(RunnerLink const& link);
  ~RemoteWire() override;

  api::Executor& executor() override { return executor_; }
  std::string const& name() const override { return link_.name(); }
  bool is_remote() const override { return true; }
  std::shared_ptr<CommitSignal> signal() override { return signal_; }
  void wait_for_work(std::string const& worker, std::function<void()> woken) override;
  std::vector<core::Run> take_opened() override;

 private:
  using Waiting = std::map<std::string, std::function<void()>>;

  void serve(std::stop_token const& stop, LinkedExecutor& executor);
  /// The workers that wait and that no other request asks for. Empty at the end.
  Waiting next_group(std::stop_token const& stop);
  void ask(std::stop_token const& stop, LinkedExecutor& executor, Waiting group);
  void note_opened(core::Run run);

  RunnerLink const& link_;
  LinkedExecutor executor_;
  std::shared_ptr<CommitSignal> signal_ = std::make_shared<CommitSignal>();
  std::mutex mutex_;
  std::condition_variable_any changed_;
  Waiting waiting_;                ///< guarded by mutex_
  std::vector<core::Run> opened_;  ///< guarded by mutex_
  std::vector<std::unique_ptr<LinkedExecutor>> askers_;
  std::vector<std::jthread> threads_;  // last: they use all members above
};

}  // namespace andon::main
