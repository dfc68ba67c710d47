#pragma once

#include "service/runs/run_report.hpp"

namespace andon::service {

/// Whether a run left something that shows its work. Where the board has a repository, only what can be seen
/// counts: commits, changed files, created tasks, a verdict, or the report that no change was needed.
/// Elsewhere words and a passed check count as well.
bool has_evidence(OperationContext& ctx, core::Run const& run, FinishRunRequest const& ending);

/// Applies the end of a run to its task: the act that waited for the agent to stop, or else the act that the
/// outcome requires. Does nothing when the claim of the task belongs to another run.
void apply_run_result(OperationContext& ctx, core::Run const& run, FinishRunRequest const& ending);

}  // namespace andon::service
