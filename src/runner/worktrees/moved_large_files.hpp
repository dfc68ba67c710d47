#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "runner/objects/large_files.hpp"
#include "runner/worktrees/filter_form.hpp"

namespace andon::runner {

/// The way of large files from one git directory to another.
struct LargeFileWay {
  Git const& clone;               ///< has the pointers
  std::filesystem::path scratch;  ///< git may write in it
  std::filesystem::path from;
  std::filesystem::path to;
  std::int64_t most = kMostLargeBytes;  ///< bytes
};

/// Brings the contents of the pointers among the files with the filter of git-lfs along. Returns the paths of
/// those whose content is in neither git directory, or exceeds the bound.
std::set<std::string> bring_large_files(LargeFileWay const& way, std::set<CommittedFile> const& files,
                                        PathFilters const& filters);

/// Brings the contents of all pointers in a commit along.
void bring_large_files_of(LargeFileWay const& way, std::string const& commit);

}  // namespace andon::runner
