#pragma once

#include <optional>

#include "core/model/run.hpp"
#include "os/processes/cgroup.hpp"
#include "os/processes/process.hpp"

namespace andon::runner {

/// The cgroup of one run, where this machine lets us have one: agent and checks are born in it, and one write
/// kills them with whatever they have started. Everywhere else it does nothing, and only the supervising
/// process, parent of all orphans, finds them.
class RunCgroup {
 public:
  /// Its name tells run and supervising process.
  explicit RunCgroup(core::RunId run);
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

/// The cgroup that a run's supervising process made in `parent` and may not have removed. Its name tells
/// machine start and supervising process: no other group ever has it.
std::optional<os::Cgroup> left_cgroup(std::filesystem::path const& parent, core::RunId run,
                                      os::ProcessId const& supervisor);

/// Removes the empty groups of runs whose supervising processes are gone.
void remove_left_cgroups(std::filesystem::path const& parent);

}  // namespace andon::runner
