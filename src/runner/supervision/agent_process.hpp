#pragma once

#include <filesystem>
#include <optional>

#include "core/model/run.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/process.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/run_cgroup.hpp"

namespace andon::runner {

/// The sandbox of a run's agent or checks; nothing when the run has none. Throws a `SystemError` when the
/// kernel cannot make it.
std::optional<os::Confinement> confinement_for(RunSpec const& spec, Confined who);

/// The running agent. It leads its own session, reads its prompt from standard input, and writes to two
/// pipes.
class AgentProcess {
 public:
  /// Throws a `SystemError` when the program cannot be started. `cgroup` must outlive the object.
  AgentProcess(RunFiles const& files, RunSpec const& spec, RunCgroup& cgroup);

  os::Descriptor& out() { return out_; }
  os::Descriptor& err() { return err_; }
  pid_t pid() const { return child_.pid; }
  int handle() const { return child_.handle.get(); }
  os::ProcessId const& identity() const { return identity_; }

  bool has_ended() const;
  /// Signals the agent's process group unless it was reaped. KILL goes to the whole cgroup.
  void signal_group(int signal) const;
  /// Kills the rest of the process group, then returns the wait status. Call it only after `has_ended`.
  core::Exit reap();

 private:
  RunCgroup const& cgroup_;
  os::Child child_;
  os::Descriptor out_;
  os::Descriptor err_;
  os::ProcessId identity_;
};

}  // namespace andon::runner
