#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "core/model/run.hpp"
#include "core/time/time.hpp"
#include "os/processes/process.hpp"

namespace andon::runner {

/// The known facts about a run's processes. None comes from a file that an agent can write, because such a
/// file could name any process.
struct SweepTarget {
  std::filesystem::path run_dir;  ///< the marker of all processes, in their environment
  core::RunId run = 0;
  std::optional<os::ProcessId> supervisor{};
  std::string input{};              ///< the agent's input file, as `DEVICE:INODE`
  std::filesystem::path cgroups{};  ///< the parent of the run's cgroup; empty for none
  bool with_adopted = false;        ///< adopted children of this process belong to runs such as this one
};

struct SweepReport {
  std::size_t killed = 0;
  bool is_empty = false;  ///< no process of the run is left; proved
};

/// Ends all processes of a run from outside, also after its supervising process was killed. That covers the
/// supervising process, the members of its cgroup, every process with the run's marker or the agent's input,
/// adopted orphans, and all descendants of these. It signals a process only if one of these facts ties it to
/// this run, or to one like it.
SweepReport sweep_run(SweepTarget const& target, core::Duration limit = core::Duration{10'000});

}  // namespace andon::runner
