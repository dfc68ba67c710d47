#pragma once

#include <optional>

#include "os/processes/clock.hpp"
#include "os/processes/signals.hpp"
#include "runner/output/run_log.hpp"
#include "runner/runs/end_record.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/setup/ready_tree.hpp"
#include "runner/supervision/lease_renewer.hpp"
#include "runner/supervision/resource_watch.hpp"
#include "runner/supervision/run_cgroup.hpp"
#include "runner/supervision/watch.hpp"

namespace andon::runner {

/// Makes the work tree of a run ready before its agent starts: in the run's sandbox and cgroup, with its log.
class SetupStage {
 public:
  SetupStage(RunFiles const& files, RunSpec const& spec, os::SignalQueue& signals, ServerLink& link);

  /// The tree with its ports and secrets. A sentence when it could not be made ready.
  core::Result<ReadyTree> run();
  /// True when the tree had no work of an agent when `run` began.
  bool is_untouched() const { return is_untouched_; }
  /// Runs one command in the ready tree. It has ended with all its processes afterwards.
  core::CheckResult run_command(CheckSpec const& command, ReadyTree const& ready, core::Duration limit);
  /// The reason why the run must end; nothing when it may go on.
  std::optional<StopReason> stopped() const { return stopped_; }
  /// The use of the machine by the commands so far.
  RunUse use() const { return resources_.use(); }

 private:
  bool must_stop();
  void take_signals();
  void note(std::string const& text) { log_.write(clock_.now(), stream::kAndon, text); }

  RunSpec const& spec_;
  os::SignalQueue& signals_;
  os::SystemClock clock_;
  RunLogWriter log_;
  Watch watch_;
  RunCgroup cgroup_;
  ResourceWatch resources_;
  LeaseRenewer renewer_;
  std::optional<StopReason> stopped_;
  bool is_untouched_ = false;
  core::Duration reported_at_{};
};

}  // namespace andon::runner
