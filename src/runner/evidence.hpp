#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace andon::runner {

/// What a run left in its repository. Empty where there is no repository or no git.
struct Evidence {
  std::string branch;
  std::vector<std::string> commits;  ///< made since the run began, oldest first, at most 100
  std::string head;                  ///< the present commit
  int files_changed = 0;             ///< by these commits and in the working tree
};

/// The present commit of the repository a directory is in; empty without one.
std::string head_commit(std::filesystem::path const& directory);

/// Compares with the commit from before. A repository is not trusted: git runs without hooks, file system
/// monitors, filters, external diffs and prompts.
Evidence collect_evidence(std::filesystem::path const& directory, std::string const& head_before);

}  // namespace andon::runner
