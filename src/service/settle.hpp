#pragma once

#include "service/run_report.hpp"

namespace andon::service {

/// Whether a run left something that shows its work: commits, changed files, a passed check, words.
bool has_evidence(FinishRunRequest const& ending);

/// What the end of a run does to its task: what was asked for while the agent had to be stopped, else what
/// the outcome asks for. A task whose claim has moved on since is left alone.
void settle_task(Unit& u, core::Run const& run, FinishRunRequest const& ending);

}  // namespace andon::service
