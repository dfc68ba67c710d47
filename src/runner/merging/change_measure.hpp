#pragma once

#include <expected>
#include <set>
#include <string>
#include <vector>

#include "core/runs/landing_gate.hpp"
#include "runner/git/git.hpp"
#include "runner/merging/changed_entries.hpp"

namespace andon::runner {

/// The commits between which a landing is measured.
struct LandingCommits {
  std::string tip;     ///< of the default branch
  std::string joined;  ///< the work on top of it
  std::string base;    ///< where the work parted from the default branch, as its run noted
  std::string work;    ///< the work as its run left it
};

/// The files of the repository that the checks of a board execute, and the programs that they start.
struct CheckSources {
  std::vector<std::string> files{};
  std::vector<std::string> tools{};
};

/// A change with the entries of git that its files were measured from, in the same order.
struct MeasuredChange : core::LandedChange {
  std::vector<ChangedEntry> entries{};
  std::set<std::string> secret_lines{};  ///< see `read_change_text`
};

/// Measures a change with git alone: files, lines, bytes, the content that goes, files that become what they
/// were before others changed them, and files that somebody's machine executes. A change that is larger than
/// what is looked at, or that git takes too long for, is marked as cut. Names are not trusted. `git` must be
/// that of the repository itself: attributes in the work would make files binary. A sentence when git fails.
std::expected<MeasuredChange, std::string> measure_change(Git const& git, LandingCommits const& commits,
                                                          CheckSources const& checks = {});

/// The files at these paths or below them that any commit of the work has, also one that a later commit
/// removes. A sentence when git fails.
std::expected<std::vector<std::string>, std::string> files_of_work(Git const& git,
                                                                   LandingCommits const& commits,
                                                                   std::vector<std::string> const& paths);

}  // namespace andon::runner
