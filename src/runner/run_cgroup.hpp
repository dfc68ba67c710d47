#pragma once

#include <optional>

#include "os/cgroup.hpp"
#include "runner/run_files.hpp"

namespace andon::runner {

/// The cgroup of one run, where this machine lets us have one: agent and checks are born in it, and one write
/// kills them with whatever they have started. Everywhere else it does nothing, and only the supervising
/// process, parent of all orphans, finds them.
class RunCgroup {
 public:
  /// Its name tells run and supervising process, its path is in the run directory before it is made.
  RunCgroup(RunFiles const& files, core::RunId run);
  RunCgroup(RunCgroup const&) = delete;
  ~RunCgroup();

  /// A group within for one more program, for `os::Command::cgroup`: kernels kill at birth who is put into a
  /// group that was killed before.
  os::Descriptor place();
  void kill() const;
  /// Kills until the kernel says that nobody is left; false when some would not die in time.
  bool end(core::Duration limit) const;

 private:
  std::optional<os::Cgroup> group_;
  int places_ = 0;
};

/// The cgroup that a run's supervising process made and may not have removed.
std::optional<os::Cgroup> left_cgroup(RunFiles const& files);

/// Removes the empty groups of runs whose supervising processes are gone.
void remove_left_cgroups(std::filesystem::path const& parent);

}  // namespace andon::runner
