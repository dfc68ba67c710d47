#pragma once

#include <vector>

#include "core/runs/landing_gate.hpp"
#include "runner/merging/changed_entries.hpp"

namespace andon::runner {

/// Marks files that are not what they seem: links out of the repository or into git's directory, files that
/// become links, programs, and names that a reader mistakes for others.
void find_odd_files(Git const& git, std::vector<ChangedEntry> const& entries, core::LandedChange& change);

}  // namespace andon::runner
