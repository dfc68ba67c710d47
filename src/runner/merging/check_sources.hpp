#pragma once

#include <string>

#include "core/model/board.hpp"
#include "runner/git/git.hpp"
#include "runner/merging/change_measure.hpp"

namespace andon::runner {

/// The files and programs that the set-up, the checks and the listing of tests of a board execute, as the
/// commit has them: the programs and scripts of the commands, the scripts and libraries that those name, the
/// scripts of `package.json` and the targets of a makefile. The search reads at most 64 files. Names of files
/// that are not in the commit are among them as the commands have them, since a change may add them.
CheckSources check_sources(Git const& git, std::string const& commit, core::Board const& board);

}  // namespace andon::runner
