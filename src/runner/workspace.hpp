#pragma once

#include "core/error.hpp"
#include "core/run.hpp"
#include "runner/evidence.hpp"
#include "runner/run_spec.hpp"

namespace andon::runner {

/// Makes the work tree of a task, or finds the one of its earlier attempts, so that the work goes on. It is
/// on the task's branch; what holds no work of its own yet starts from the default branch as it is now.
/// Refuses, with what to do, what cannot be a work tree.
core::Result<void> prepare_workspace(WorkspaceSpec const& spec, core::TaskId task);

/// Commits what an agent left uncommitted, in the name of its worker, so that checks, reviewers and the
/// landing queue see the same. Nothing when a merge or rebase is under way.
void commit_leftovers(WorkspaceSpec const& spec, core::TaskId task, std::string const& worker);

/// What a run came to in its work tree: `base` is where it parted from the default branch. The work is kept
/// under the number of its run.
struct WorkRecord {
  std::string base;
  std::string head;
};
WorkRecord record_work(WorkspaceSpec const& spec, core::RunId run);

}  // namespace andon::runner
