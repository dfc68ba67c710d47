#pragma once

#include <string>

#include "runner/runs/run_spec.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {

/// The refs of a repository now. `branch` is the one of the task's earlier runs.
NotedRefs note_refs(Repository const& repository, std::string const& branch);

/// Whether a run may work on a branch: a work branch, the branch of the task's earlier runs, or one that was
/// not there before.
bool is_branch_of_run(NotedRefs const& noted, std::string const& branch);

/// Finds refs outside the task's own that the agent moved to its work at `head` in the work tree `tree`: the
/// server lands work, never an agent. Puts back those that no person can have moved. Returns a sentence about
/// them; empty without any.
std::string undo_moved_refs(Repository const& repository, Git const& tree, NotedRefs const& noted,
                            std::string const& head);

}  // namespace andon::runner
