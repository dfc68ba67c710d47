#pragma once

#include "core/error.hpp"
#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/worktrees/evidence.hpp"

namespace andon::runner {

/// Makes the work tree of a task, or finds the one that was made for its earlier attempts, so that the work
/// goes on. It is on the task's branch; what holds no work of its own yet starts from the default branch as
/// it is now. Gives the directories it consists of. Refuses, with what to do, whatever else is in its place,
/// and takes up no branch that the task's earlier runs did not work on.
core::Result<core::WorkPlace> prepare_workspace(WorkspaceSpec const& spec, core::TaskId task);

/// Commits what an agent left uncommitted, in the name of its worker and with that subject, so that checks,
/// reviewers and the landing queue see the same. Nothing when a merge or rebase is under way, or when the
/// place is another by now.
void commit_leftovers(core::WorkPlace const& place, core::TaskId task, std::string const& worker,
                      std::string const& subject);

/// What a run came to in its work tree: `base` is where it parted from the default branch. The work is kept
/// under the number of its run.
struct WorkRecord {
  std::string base;
  std::string head;
};
WorkRecord record_work(std::string const& repo, core::WorkPlace const& place, core::RunId run, int stop = -1);

}  // namespace andon::runner
