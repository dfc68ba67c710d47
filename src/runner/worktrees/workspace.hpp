#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "core/runs/work_branch.hpp"
#include "runner/git/git.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// The branch under which the clone keeps the work of a task. An agent chooses its own branch, and must not
/// choose one of the clone or of a remote: only branches of its task count.
std::string branch_of_task(std::filesystem::path const& directory, std::string const& branch,
                           std::string_view prefix = core::kUsualPrefix);

/// Git in the work tree of a task.
GitUse use_for(WorkspaceSpec const& workspace);
/// Git in the directory of a run: its work tree, or one that it shares with others.
GitUse use_for(RunSpec const& spec);

/// Makes the work tree of a task, or finds the one of its earlier attempts, which then continues their work.
/// The tree is on the task's branch. If it has no work of its own yet, it starts from the current default
/// branch. Returns its directories. Refuses anything else in its place, with advice, and takes no branch that
/// earlier runs of the task did not use. `use` has the clone as lender.
core::Result<core::WorkPlace> prepare_workspace(WorkspaceSpec const& spec, GitUse const& use);

/// Notes the work tree before the agent of a run starts. The clone has its commit afterwards.
core::Result<RunStart> note_run(WorkspaceSpec const& spec, core::WorkPlace const& place, GitUse const& use);

}  // namespace andon::runner
