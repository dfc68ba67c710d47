#pragma once

#include <vector>

#include "core/model/board.hpp"
#include "os/data/data_directory.hpp"
#include "runner/git/git.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {

/// The branches of tasks with commits that the default branch of the board does not have, the latest first,
/// at most 50: those that Andon's clone keeps, and those that earlier versions left in the repository.
std::vector<service::KeptBranch> kept_branches(core::Board const& board, os::DataDirectory const& data,
                                               GitUse const& use);

}  // namespace andon::runner
