#pragma once

#include <vector>

#include "core/runs/landing_gate.hpp"
#include "runner/merging/changed_entries.hpp"

namespace andon::runner {

/// Adds the lines of files such as `package.json` that are executed or obeyed and that the change adds or
/// removes, and the hosts that a lock file names for the first time.
void find_obeyed_changes(Git const& git, std::vector<ChangedEntry> const& entries,
                         core::LandedChange& change);

}  // namespace andon::runner
