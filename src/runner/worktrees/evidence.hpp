#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/work_place.hpp"

namespace andon::runner {

/// What a run left in its repository. Empty where there is no repository or no git.
struct Evidence {
  std::string branch;
  std::vector<std::string> commits;  ///< made since the run began, oldest first, at most 100
  std::string head;                  ///< the present commit
  int files_changed = 0;             ///< by these commits and in the working tree
};

/// Where the repository lies that a directory is in; nothing without one.
std::optional<core::WorkPlace> place_around(std::filesystem::path const& directory);

/// The present commit; empty without one, and when the place is another by now. `stop` as in `GitUse`.
std::string head_commit(core::WorkPlace const& place, int stop = -1);
/// The files that no commit has, each with a mark of its content. New ones count in `directory` alone, which
/// lies in the place.
std::vector<std::string> uncommitted(core::WorkPlace const& place, std::filesystem::path const& directory,
                                     int stop = -1);

/// Compares with the commit and the uncommitted files from before.
Evidence collect_evidence(core::WorkPlace const& place, std::filesystem::path const& directory,
                          std::string const& head_before, std::vector<std::string> const& left_before = {},
                          int stop = -1);

}  // namespace andon::runner
