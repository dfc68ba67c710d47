#include "runner/worktrees/run_work.hpp"

#include <filesystem>
#include <map>
#include <set>

#include "core/runs/work_branch.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/changed_files.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/fetched_commit.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/submodules.hpp"
#include "runner/worktrees/workspace.hpp"

namespace andon::runner {
namespace {

constexpr char kMostCommits[] = "--max-count=100";

/// The fork point of a commit and the default branch. The commit may contain more of that branch than at the
/// start.
std::string base_of(Git const& git, std::string const& tip_before, std::string const& tip_now,
                    std::string const& head) {
  auto before = fork_point(git, tip_before, head);
  if (tip_now == tip_before) return before;
  auto now = fork_point(git, tip_now, head);
  bool const is_later = before.empty() || (!now.empty() && contains(git, now, before));
  return is_later ? now : before;
}

/// The names of the files that this run changed: what its branch adds to the default branch differs there
/// from what it added before the run.
std::set<std::string> files_of(FileChanges const& before, FileChanges const& after) {
  std::set<std::string> out;
  for (auto const& [name, change] : after)
    if (auto const found = before.find(name); found == before.end() || !(found->second == change))
      out.insert(name);
  for (auto const& [name, change] : before)
    if (!after.contains(name)) out.insert(name);
  return out;
}

std::vector<std::string> commits_of(Git const& git, RunStart const& noted, std::string const& tip_now,
                                    std::string const& before, std::string const& head) {
  return git.list({"rev-list", "--reverse", kMostCommits, "--right-only", "--cherry-pick",
                   before + "..." + head, "^" + (noted.tip.empty() ? tip_now : noted.tip), "^" + tip_now});
}

/// The reason why the work tree has no commit at its head.
std::string why_no_head(Git const& tree) {
  return "the work in " + tree.place().directory + " has no commit that git can read: " +
         shown_reason(tree.run({"log", "-1", "--format=%H"}).complaint);
}

std::string unrelated(std::string const& branch, std::string const& default_branch) {
  return "the work on the branch " + branch + " shares no commit with " + as_utf8(default_branch) +
         ", so it cannot be landed; bring it to a branch that starts there";
}

}  // namespace

std::string take_in(TakenIn const& taken) {
  auto const& to = taken.clone.git;
  auto const tree = std::filesystem::path{taken.tree.place().directory}.filename().native();
  return fetch_commit(
      {.from = taken.tree,
       .to = to,
       .commit = taken.commit,
       .known = {taken.clone.tip, taken.before},
       .incoming = std::filesystem::path{to.place().common_directory} / "objects" / ("tmp_objdir-" + tree)});
}

bool is_branch_of_run(RunStart const& noted, Git const& tree) {
  auto const ref = tree.text({"symbolic-ref", "--quiet", "HEAD"}).value_or("");
  return ref.empty() || (ref.starts_with("refs/heads/") && ref != "refs/heads/" + noted.default_branch);
}

RunWork record_work(WorkspaceSpec const& workspace, core::WorkPlace const& place, core::RunId run,
                    RunStart const& noted, GitUse const& use) {
  RunWork out;
  auto const clone = open_clone(workspace.repo, use, workspace.board_branch);
  Git const tree{place, use};
  if (!clone) {
    out.trouble = clone.error().message;
    return out;
  }
  auto const reached = head_commit(place, use);
  if (reached.empty()) {
    out.trouble = why_no_head(tree);
    return out;
  }
  out.trouble = take_in({.tree = tree, .clone = *clone, .commit = reached, .before = noted.head});
  if (!out.trouble.empty()) return out;
  auto const& git = clone->git;
  out.head = reached;
  keep_run_head(git, run, reached);

  auto const& tip_now = clone->tip;
  auto const& tip_before = noted.tip.empty() ? tip_now : noted.tip;
  out.base = base_of(git, tip_before, tip_now, reached);
  auto const before = noted.head.empty() ? out.base : noted.head;
  auto const added = changes_between(git, out.base, reached);
  auto changed = files_of(changes_between(git, fork_point(git, tip_before, before), before), added);
  if (!changed.empty()) out.commits = commits_of(git, noted, tip_now, before, reached);
  for (auto& name : uncommitted_files(place, use)) changed.insert(std::move(name));
  out.files_changed = static_cast<int>(changed.size());
  out.diff_size = diff_size(git, out.base, reached);

  out.branch = as_utf8(checked_out_branch(tree));
  auto const look_at = [&](std::string const& reason) {
    if (out.trouble.empty()) out.trouble = reason;
  };
  if (!is_branch_of_run(noted, tree))
    look_at("the work tree is on the branch " + std::exchange(out.branch, {}) + ", which is not the task's");
  else if (!out.branch.empty())
    git.run({"update-ref",
             "refs/heads/" + branch_of_task(place.directory, out.branch, workspace.branch_prefix), reached});
  if (out.base.empty()) look_at(unrelated(out.branch, clone->default_branch));
  look_at(trouble_in_submodules(workspace.origin, tree, added));
  return out;
}

}  // namespace andon::runner
