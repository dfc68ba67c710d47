#pragma once

#include <optional>
#include <sys/types.h>
#include <vector>

#include "core/model/resource_limits.hpp"
#include "core/model/run.hpp"
#include "os/processes/cgroup.hpp"
#include "os/processes/process.hpp"

namespace andon::runner {

/// The cgroup of one run, if this machine permits one. The agent and the checks start in it, and one write
/// kills them with all their descendants. Without a cgroup it does nothing. Then the supervising process, the
/// parent of all orphans, must find the processes.
class RunCgroup {
 public:
  /// The name contains the run and the supervising process.
  explicit RunCgroup(core::RunId run);
  RunCgroup(RunCgroup const&) = delete;
  ~RunCgroup();

  /// Makes a nested group for one more program, for `os::Command::cgroup`. A killed group cannot be reused,
  /// because the kernel kills every process that is born in it.
  os::Descriptor place();
  void kill() const;
  /// The processes of the run: those in the group, or else the descendants of this process.
  std::vector<pid_t> processes() const;
  /// Sets the kernel's own limits where it has them. That of memory is a little higher, so that the run is
  /// ended with its reason before the kernel ends one of its processes.
  void limit(core::ResourceLimits const& limits) const;
  bool ran_out_of_memory() const;
  /// Kills until the kernel reports that the group is empty; false when processes remain at the limit.
  bool end(core::Duration limit) const;

 private:
  std::optional<os::Cgroup> group_;
  int places_ = 0;
};

/// The cgroup that a run's supervising process made in `parent`, if it still exists. Its name contains the
/// boot id and the supervising process, so no other group can have it.
std::optional<os::Cgroup> left_cgroup(std::filesystem::path const& parent, core::RunId run,
                                      os::ProcessId const& supervisor);

/// Removes the empty groups of runs whose supervising processes ended.
void remove_left_cgroups(std::filesystem::path const& parent);

}  // namespace andon::runner
