#pragma once

#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "os/data/data_directory.hpp"
#include "runner/git/git.hpp"
#include "runner/merging/change_measure.hpp"

namespace andon::runner {

/// The secrets of this machine that work on the board could have seen, by value: in the files that the board
/// copies, its variables, the environment of this process, and the administrator's token. Of the files only
/// those that `core::is_secret_value` takes for secrets, since ordinary settings stand in code too.
std::vector<std::string> known_secrets(core::Board const& board, os::DataDirectory const& data);

struct SecretSearch {
  std::vector<std::string> commits{};  ///< that bring a value in a file or have one in their message
  bool is_cut = false;                 ///< there is more than what was searched
};

/// Searches all commits of the work for the values, also those that a later commit changes again.
SecretSearch find_values(Git const& git, LandingCommits const& commits,
                         std::vector<std::string> const& values);

}  // namespace andon::runner
