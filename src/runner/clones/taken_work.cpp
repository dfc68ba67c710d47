#include "runner/clones/taken_work.hpp"

#include "runner/clones/clone.hpp"
#include "runner/clones/published_work.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/ledger.hpp"
#include "runner/worktrees/own_repository.hpp"
#include "runner/worktrees/run_work.hpp"
#include "runner/worktrees/workspace.hpp"

namespace andon::runner {

core::Result<TakenWork> take_work(WorkspaceSpec const& workspace, Git const& tree) {
  if (!is_own_repository(tree.place())) return TakenWork{checked_out_branch(tree)};
  if (checked_out_branch(tree).empty() || !unfinished_operation(tree).empty())
    return core::refuse(
        core::Code::kConflict,
        "a merge or rebase is under way in " + workspace.directory +
            ", or it is on no branch, and would be lost; let the next attempt finish it. Do not "
            "run git there: what an agent configured would run",
        "id");
  auto use = tree.use();
  use.lender.clear();
  refresh_before_record(workspace, use);
  ANDON_TRY(auto const clone, open_clone(workspace.repo, use, workspace.board_branch));
  auto const head = head_commit(tree.place(), tree.use());
  auto const trouble = head.empty() ? "the repository in " + workspace.directory + " names no commit"
                                    : take_in({.tree = tree, .clone = clone, .commit = head});
  if (!trouble.empty())
    return core::refuse(core::Code::kConflict,
                        trouble +
                            "; the next attempt repairs the tree, or remove it with: andon work clean "
                            "--force",
                        "id");
  auto const branch = branch_of_task(workspace.directory, checked_out_branch(tree), workspace.branch_prefix);
  clone.git.carry_out({"update-ref", "refs/heads/" + branch, head});
  ANDON_CHECK(renew_own_repository(
      clone, {workspace.directory, branch, head, workspace.origin, held_filters(workspace.filters)}));
  Clone const place{workspace.origin, os::data_directory(workspace.data), use, {}, workspace.board_branch};
  return TakenWork{branch, place.offer(branch, head).value_or("")};
}

}  // namespace andon::runner
