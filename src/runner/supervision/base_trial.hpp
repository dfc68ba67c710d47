#pragma once

#include <optional>
#include <string>

#include "os/processes/signals.hpp"
#include "runner/runs/end_record.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/server_link.hpp"

namespace andon::runner {

/// Says whether a failure is a fault of the board: it repeats the failed step in a tree of its own, at the
/// commit at which the default branch was when the run began, without any work of an agent. The tree is
/// removed afterwards.
class BaseTrial {
 public:
  /// Nothing is owned. The run has a work tree, and its agent has ended.
  BaseTrial(RunFiles const& files, RunSpec const& spec, os::SignalQueue& signals, ServerLink& link)
      : files_(files), spec_(spec), signals_(signals), link_(link) {}

  /// The fault of the set-up, which failed with these words in the tree of the run.
  std::optional<core::Fault> of_set_up();
  /// The fault of a check that failed in the tree of the run.
  std::optional<core::Fault> of_check(core::CheckResult const& failed);

 private:
  struct Tried;
  Tried try_there(CheckSpec const* check);

  RunFiles const& files_;
  RunSpec const& spec_;
  os::SignalQueue& signals_;
  ServerLink& link_;
};

/// The fault that the end of a run shows, if it is not the task's own.
std::optional<core::Fault> fault_of_end(EndRecord const& record, RunFiles const& files, RunSpec const& spec,
                                        os::SignalQueue& signals, ServerLink& link);

/// True when the disk of a directory has no space left for work.
bool is_disk_full(std::string const& directory);

}  // namespace andon::runner
