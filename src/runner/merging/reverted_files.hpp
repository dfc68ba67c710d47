#pragma once

#include <set>
#include <string>

#include "runner/merging/change_measure.hpp"
#include "runner/merging/changed_entries.hpp"

namespace andon::runner {

struct RevertedFiles {
  std::set<std::string> names;  ///< raw
  bool is_cut = false;          ///< the history was longer than what is read
};

/// The files that the work sets back to what they were before others changed them: since the work parted from
/// the default branch, or a few commits ago. A file that others added since and that the work deletes is one
/// too.
RevertedFiles find_reverted(Git const& git, LandingCommits const& commits,
                            std::vector<ChangedEntry> const& changes);

}  // namespace andon::runner
