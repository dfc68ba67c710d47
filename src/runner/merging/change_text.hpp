#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/runs/landing_gate.hpp"
#include "runner/merging/changed_entries.hpp"

namespace andon::runner {

/// Reads the lines of a change into its files: lost content and assertions, secrets, hidden text, weak tests,
/// and a digest of what changes. `patch` is the output of `git diff --patch --unified=1` over these entries,
/// in their order; `files` has a file for each entry. Returns the lines that look like secrets, as the path,
/// a line end and the digest of the line; nothing when the patch does not fit the entries.
std::optional<std::set<std::string>> read_change_text(std::string_view patch,
                                                      std::vector<ChangedEntry> const& entries,
                                                      std::vector<core::LandedFile>& files);

}  // namespace andon::runner
