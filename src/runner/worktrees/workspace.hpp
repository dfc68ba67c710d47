#pragma once

#include "core/error.hpp"
#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/worktrees/git.hpp"

namespace andon::runner {

/// Makes the work tree of a task, or finds the one of its earlier attempts, which then continues their work.
/// The tree is on the task's branch. If it has no work of its own yet, it starts from the current default
/// branch. Returns its directories. Refuses anything else in its place, with advice, and takes no branch that
/// earlier runs of the task did not use. `use.records` must be set.
core::Result<core::WorkPlace> prepare_workspace(WorkspaceSpec const& spec, core::TaskId task,
                                                GitUse const& use);

/// Notes the refs and the work tree's commit before the agent of a run starts, also in Andon's records.
core::Result<NotedRefs> note_run(WorkspaceSpec const& spec, core::WorkPlace const& place, core::RunId run,
                                 GitUse const& use);

/// Commits an agent's uncommitted changes, with its worker as author and the given subject. So checks,
/// reviewers and the landing queue see equal work. Does nothing during a merge or rebase, on a
/// branch that is not the run's, or when the place was replaced. The files `kept_out` never become work.
void commit_leftovers(core::WorkPlace const& place, core::TaskId task, std::string const& worker,
                      std::string const& subject, NotedRefs const& noted = {}, GitUse const& use = {},
                      std::vector<std::string> const& kept_out = {});

}  // namespace andon::runner
