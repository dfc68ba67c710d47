#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/runs/landing_gate.hpp"
#include "runner/merging/changed_entries.hpp"

namespace andon::runner {

/// Reads the lines of a change into its files: lost content and assertions, secrets, hidden text, weak tests,
/// and a digest of what changes. `patch` is the output of `git diff --patch --unified=1` over these entries,
/// in their order; `files` has a file for each entry. False when the patch does not fit the entries.
bool read_change_text(std::string_view patch, std::vector<ChangedEntry> const& entries,
                      std::vector<core::LandedFile>& files);

}  // namespace andon::runner
