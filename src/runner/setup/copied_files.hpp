#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "runner/git/git.hpp"

namespace andon::runner {

/// Copies files of the board's repository into a work tree, also over what is there. Each must be a regular
/// file that git ignores in the repository; nothing is reached through a link. An agent may have made git
/// track it in the tree: then the gate before landings sends the work back.
/// Returns the values in them, which are secrets. A sentence when a file cannot be copied.
/// `is_repository` is false for a directory with nothing but such files: then the tree must ignore them.
core::Result<std::vector<std::string>> copy_files(std::string const& repo, bool is_repository,
                                                  Git const& tree, std::vector<std::string> const& files);

/// The secrets in those files, as they are now in the repository.
std::vector<std::string> secrets_in(std::string const& repo, std::vector<std::string> const& files);

/// A line of such a file.
struct CopiedSetting {
  std::string name;  ///< empty for a line that is no `NAME=value`
  std::string value;
};
/// Those of all these files, as they are now in the repository.
std::vector<CopiedSetting> settings_in(std::string const& repo, std::vector<std::string> const& files);

/// The values of `NAME=value` lines without quotes, and the lines of other text files.
std::vector<std::string> values_in(std::string_view text);

}  // namespace andon::runner
