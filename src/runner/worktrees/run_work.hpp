#pragma once

#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/worktrees/repository.hpp"

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

/// A commit to copy from a work tree into Andon's clone.
struct TakenIn {
  Git const& tree;
  Repository const& clone;
  std::string commit;
  std::string before{};  ///< a commit that the clone has, from which the work went on
};
/// A sentence when the clone does not have the commit afterwards.
std::string take_in(TakenIn const& taken);

/// Whether the work of a run may be on the branch of its tree: on any but the default branch, which the tree
/// follows.
bool is_branch_of_run(RunStart const& noted, Git const& tree);

/// Copies the work of a run into the clone, keeps it there under the run's number and the branch of its task,
/// and finds what it is. Work is what the branch adds to the default branch, as that was at the start or is
/// now, whichever the work contains more of. Work of earlier attempts, commits that were only taken up, and
/// commits without any difference are not this run's. All but the branch and the uncommitted files is read
/// from the clone.
RunWork record_work(WorkspaceSpec const& workspace, core::WorkPlace const& place, core::RunId run,
                    RunStart const& noted = {}, GitUse const& use = {});

}  // namespace andon::runner
