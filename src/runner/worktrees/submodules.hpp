#pragma once

#include <string>

#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {

/// Why a work tree must not be removed after its work has landed: it alone holds a commit that the work wants
/// in a submodule, or a submodule has uncommitted changes. `changes` are those of the work, `origin` is the
/// repository of the board. A sentence with advice; empty without any.
std::string trouble_in_submodules(std::string const& origin, Git const& tree, FileChanges const& changes);

/// The submodules that a work tree names and does not have, at most 200. Throws `GitFailure`.
std::vector<std::string> missing_submodules(Git const& tree);

/// A sentence that says which submodules are missing, and how a board gets them; empty for none.
std::string about_missing_submodules(std::vector<std::string> const& missing);

}  // namespace andon::runner
