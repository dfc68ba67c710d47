#pragma once

#include <string>

#include "runner/runs/run_spec.hpp"
#include "runner/worktrees/run_work.hpp"

namespace andon::runner {

/// Brings the clone to where a repository by path is now, so that commits of others do not count as work of a
/// run. A clone of a remote is made if it is missing. A clone that cannot be refreshed stays as it is.
void refresh_before_record(WorkspaceSpec const& workspace, GitUse const& use);

/// Brings the work of a run to the remote, so that another host can land it or go on with it. Does nothing
/// for a repository by path, and for work without commits of its own. Returns a sentence when the remote does
/// not have the work; the run must not count as finished then.
std::string publish_work(WorkspaceSpec const& workspace, RunWork const& work, GitUse const& use);

}  // namespace andon::runner
