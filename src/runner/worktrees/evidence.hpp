#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/work_place.hpp"

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

/// The current commit; empty without one, or when the place was replaced. `stop` as in `GitUse`.
std::string head_commit(core::WorkPlace const& place, int stop = -1);
/// The uncommitted files, each with a mark of its content. Untracked files count only in `directory`, which
/// lies in the place.
std::vector<std::string> uncommitted(core::WorkPlace const& place, std::filesystem::path const& directory,
                                     int stop = -1);

/// Collects the changes since the given commit and uncommitted files.
Evidence collect_evidence(core::WorkPlace const& place, std::filesystem::path const& directory,
                          std::string const& head_before, std::vector<std::string> const& left_before = {},
                          int stop = -1);

}  // namespace andon::runner
