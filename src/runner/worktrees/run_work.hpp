#pragma once

#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/worktrees/ledger.hpp"
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
  std::vector<core::LeftOut> left_out;      ///< of the work; the first ones
  std::int64_t left_out_count = 0;          ///< all of them
  std::vector<std::string> remarks;         ///< for people
  bool may_leave = true;                    ///< false when a commit has a file that its filter did not see
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

/// How the work of a run is settled.
struct Settling {
  WorkCommit commit;
  std::vector<std::string> kept_out{};  ///< files that Andon copied into the tree
  std::vector<std::string> filters{};   ///< those that Andon runs
  bool is_finished = false;             ///< the agent may have finished: what it left is committed
};

Settling settling_of(RunSpec const& spec, std::string subject, bool is_finished);

/// Copies the work of a run into the clone, keeps it there under the run's number and the branch of its task,
/// and finds what it is. Work is what the branch adds to the default branch, as that was at the start or is
/// now, whichever the work contains more of. Work of earlier attempts, commits that were only taken up, and
/// commits without any difference are not this run's. Where the run may have finished, `trouble` also names
/// what is left out.
RunWork record_work(WorkspaceSpec const& workspace, core::WorkPlace const& place, core::RunId run,
                    RunStart const& noted = {}, GitUse const& use = {}, Settling const& settling = {});

/// Commits what a run that was ended left in the work tree, before another one goes on with it. What git
/// refuses stays as it is.
void commit_unfinished(WorkspaceSpec const& workspace, core::WorkPlace const& place, Settling const& settling,
                       GitUse const& use);

}  // namespace andon::runner
