#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/executor.hpp"
#include "core/model/run.hpp"
#include "main/commit_signal.hpp"
#include "runner/dispatch/dispatcher.hpp"

namespace andon::main {

/// The way from a runner to its server: within the process, or over HTTP.
class RunnerWire {
 public:
  virtual ~RunnerWire() = default;
  virtual api::Executor& executor() = 0;
  /// The name under which its runs are recorded.
  virtual std::string const& name() const = 0;
  virtual bool is_remote() const = 0;
  /// Notified when there may be something to do.
  virtual std::shared_ptr<CommitSignal> signal() = 0;
  /// See `runner::WaitForWork`.
  virtual void wait_for_work(std::string const& worker, std::function<void()> woken) = 0;
  /// The runs that such waits have opened, if the wire is told of them.
  virtual std::vector<core::Run> take_opened() { return {}; }
  /// The machine has slept, or the process stood still.
  virtual void note_wake_up() {}
};

}  // namespace andon::main
