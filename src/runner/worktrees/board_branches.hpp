#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "runner/git/git.hpp"
#include "service/boards/repositories.hpp"

namespace andon::runner {

/// Checks the branches that a board gets, if its repository is a path that can be opened: refuses a branch
/// that is not there, and a prefix below which git can make none. Remarks on what may not be meant.
core::Result<std::vector<std::string>> check_branches(service::WantedRepository const& wanted,
                                                      GitUse const& use);

}  // namespace andon::runner
