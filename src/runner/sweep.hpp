#pragma once

#include <cstddef>
#include <filesystem>

#include "core/time.hpp"

namespace andon::runner {

struct SweepReport {
  std::size_t killed = 0;
  bool is_empty = false;  ///< proved: nothing of the run is left
};

/// Ends everything of a run from outside, also when its supervising process was killed: that process, the
/// agent, their descendants, and every process that carries the run's marker in its environment. A process is
/// signalled only when start time and boot or the marker say that it is of this run.
SweepReport sweep_run(std::filesystem::path const& run_dir, core::Duration limit = core::Duration{10'000});

}  // namespace andon::runner
