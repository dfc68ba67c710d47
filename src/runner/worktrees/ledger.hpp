#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {

/// How uncommitted work is committed.
struct WorkCommit {
  core::TaskId task = 0;
  std::string worker;   ///< the author
  std::string subject;  ///< the first line; empty for a plain one
};

/// The work tree whose work is asked for.
struct LedgerQuestion {
  Repository const& clone;
  Git const& tree;                      ///< the repository of the task
  std::string head;                     ///< its commit, which the clone has
  std::string base;                     ///< the commit that the work is compared with; empty for none
  std::vector<std::string> kept_out{};  ///< untracked files that Andon copied into the tree
  std::vector<std::string> filters{};   ///< those that the board allows
  bool is_remote = false;               ///< the board's repository has a clone URL
  std::optional<WorkCommit> commit{};   ///< to commit what is not committed; nothing to only look
};

/// The work in a tree: the paths that differ from the base by their bytes. Each is in the commit `head`, or
/// uncommitted where the question only looks, or left out.
struct Ledger {
  std::string head;
  std::vector<std::string> uncommitted;  ///< git could commit them
  std::vector<core::LeftOut> left_out;   ///< the first ones by name
  std::size_t left_out_count = 0;        ///< all of them
  std::size_t absent = 0;                ///< files that a sparse checkout left out; they stay as they are
  bool is_sealed_open = false;  ///< a commit has a file that its filter did not see; it must not leave here

  bool is_clean() const { return uncommitted.empty() && left_out.empty(); }
};

/// Computes the ledger with the git of Andon's clone and an index of its own. The index, the settings and the
/// ignore rules in the git directory of the tree are an agent's, and are not believed. Only which branch is
/// checked out and whether a merge is under way is read from there. Throws `GitFailure` when git fails.
Ledger take_stock(LedgerQuestion const& question);

/// The operation that is not finished in a work tree, such as `merge`; empty for none.
std::string unfinished_operation(Git const& tree);

/// A sentence about what is left out of the work of a task, with what to do; empty when nothing is.
std::string why_not_done(Ledger const& ledger, core::TaskId task, std::string const& directory);

}  // namespace andon::runner
