#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "core/model/run.hpp"
#include "core/time/time.hpp"
#include "os/processes/process.hpp"

namespace andon::runner {

/// What is known of the processes of a run. Nothing of it comes from a file that an agent can write: such a
/// file names whomever it likes.
struct SweepTarget {
  std::filesystem::path run_dir;  ///< which all of them carry as a marker in their environment
  core::RunId run = 0;
  std::optional<os::ProcessId> supervisor{};
  std::string input{};              ///< the file the agent reads from, as `DEVICE:INODE`
  std::filesystem::path cgroups{};  ///< where the run's cgroup was made; empty for nowhere
  bool with_adopted = false;        ///< our children that we never started are of runs such as this one
};

struct SweepReport {
  std::size_t killed = 0;
  bool is_empty = false;  ///< proved: nothing of the run is left
};

/// Ends everything of a run from outside, also when its supervising process was killed: that process, the
/// members of its cgroup, every process that carries the run's marker or reads the agent's input, orphans
/// that came to us, and all their descendants. A process is signalled only when one of these says that it is
/// of this run, or of a run like it.
SweepReport sweep_run(SweepTarget const& target, core::Duration limit = core::Duration{10'000});

}  // namespace andon::runner
