#pragma once

#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/worktrees/git.hpp"

namespace andon::runner {

/// The work of a run in its work tree. Evidence, counts and the diff of the run all come from it.
struct RunWork {
  std::string branch;  ///< empty when it is not one of the task's
  std::string base;    ///< where the work parts from the default branch; empty when it does not come from it
  std::string head;
  std::vector<std::string> commits;         ///< made by this run, oldest first, at most 100
  int files_changed = 0;                    ///< by this run, in commits and uncommitted
  std::optional<core::DiffSize> diff_size;  ///< from base to head, with the work of earlier attempts
  std::string trouble;  ///< a sentence about what a person must look at; empty without any
};

/// Keeps the work of a run under the run's number, and finds what it is. Work is what the branch adds to the
/// default branch, as that was at the start or is now, whichever the work contains more of. Work of earlier
/// attempts, commits that were only taken up, and commits without any difference are not this run's.
/// Undoes moves of other refs, see `undo_moved_refs`.
RunWork record_work(std::string const& repo, core::WorkPlace const& place, core::RunId run,
                    NotedRefs const& noted = {}, GitUse const& use = {});

}  // namespace andon::runner
