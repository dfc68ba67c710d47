#pragma once

#include "runner/worktrees/git.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {

/// What a run's work changed, from the commits its record names: its work tree need not be there any more.
/// At most 1 MiB of text and 1,000 files; what is cut off is said.
core::Result<service::RunDiff> diff_of(service::DiffQuestion const& question, GitUse use = {});

}  // namespace andon::runner
