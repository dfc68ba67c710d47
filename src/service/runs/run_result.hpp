#pragma once

#include "service/runs/run_report.hpp"

namespace andon::service {

/// Whether a run left something that shows its work. Where the board has a repository, only what can be seen
/// counts: commits, changed files, created tasks, a verdict, or the report that no change was needed.
/// Elsewhere words and a passed check count as well.
bool has_evidence(OperationContext& ctx, core::Run const& run, FinishRunRequest const& ending);

/// What the end of a run does to its task: what was asked for while the agent had to be stopped, else what
/// the outcome asks for. A task whose claim has moved on since is left alone.
void apply_run_result(OperationContext& ctx, core::Run const& run, FinishRunRequest const& ending);

}  // namespace andon::service
