#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/work_place.hpp"
#include "runner/worktrees/git.hpp"

namespace andon::runner {

/// The traces of a run in its repository. Empty without a repository or git.
struct Evidence {
  std::string branch;
  std::vector<std::string> commits;  ///< made since the run began, oldest first, at most 100
  std::string head;                  ///< the current commit
  int files_changed = 0;             ///< by these commits and by uncommitted changes
};

/// The repository that contains a directory; nothing without one.
std::optional<core::WorkPlace> place_around(std::filesystem::path const& directory);

/// The current commit; empty without one, or when the place was replaced.
std::string head_commit(core::WorkPlace const& place, GitUse const& use = {});
/// The uncommitted files, each with a mark of its content. Untracked files count only in `directory`, which
/// lies in the place.
std::vector<std::string> uncommitted(core::WorkPlace const& place, std::filesystem::path const& directory,
                                     GitUse const& use = {});

/// Collects the changes since the given commit and uncommitted files.
Evidence collect_evidence(core::WorkPlace const& place, std::filesystem::path const& directory,
                          std::string const& head_before, std::vector<std::string> const& left_before = {},
                          GitUse const& use = {});

}  // namespace andon::runner
