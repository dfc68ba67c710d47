#pragma once

#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "os/data/data_directory.hpp"

namespace andon::runner {

/// The secrets of this machine that work on the board could have seen, by value: in the files that the board
/// copies, its variables, the environment of this process, and the administrator's token. Of the files only
/// those that `core::is_secret_value` takes for secrets, since ordinary settings stand in code too.
std::vector<std::string> known_secrets(core::Board const& board, os::DataDirectory const& data);

}  // namespace andon::runner
