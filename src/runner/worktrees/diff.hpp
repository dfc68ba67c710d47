#pragma once

#include "runner/git/git.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {

/// The changes of a run's work, from the commits in its record; the work tree is not needed. At most 8 MiB of
/// text and 1,000 files; the result states what is cut off.
core::Result<service::RunDiff> diff_of(service::DiffQuestion const& question, GitUse use = {});

}  // namespace andon::runner
