#pragma once

#include <string>

#include "core/error.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {

/// The work of a task as a person gets it.
struct TakenWork {
  std::string branch;
  std::string remark{};  ///< why the board's repository does not have the branch; empty when it does
};

/// Gives a work tree, in which no agent works, to a person. Fetches its commits, gives the tree a new
/// repository, so that nothing that an agent configured runs in the person's shell, and gives a repository by
/// path the branch of the work. The files of the tree stay. Refuses a tree with a merge or rebase
/// under way, which would be lost, and commits that cannot be fetched.
core::Result<TakenWork> take_work(WorkspaceSpec const& workspace, Git const& tree);

}  // namespace andon::runner
