#include "runner/worktrees/run_work.hpp"

#include <map>
#include <set>

#include "runner/output/plain_text.hpp"
#include "runner/worktrees/changed_files.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/ref_guard.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/submodules.hpp"

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

std::vector<std::string> commits_of(Git const& git, NotedRefs const& noted, std::string const& tip_now,
                                    std::string const& before, std::string const& head) {
  return git.list({"rev-list", "--reverse", kMostCommits, "--right-only", "--cherry-pick",
                   before + "..." + head, "^" + (noted.tip.empty() ? tip_now : noted.tip), "^" + tip_now});
}

std::string unrelated(std::string const& branch, std::string const& default_branch) {
  return "the work on the branch " + branch + " shares no commit with " + as_utf8(default_branch) +
         ", so it cannot be landed; bring it to a branch that starts there";
}

}  // namespace

RunWork record_work(std::string const& repo, core::WorkPlace const& place, core::RunId run,
                    NotedRefs const& noted, GitUse const& use) {
  RunWork out;
  auto const repository = open_repository(repo, use);
  auto const reached = head_commit(place, use);
  bool const is_the_same =
      repository && repository->git.place().common_directory_id == place.common_directory_id;
  if (!is_the_same || reached.empty() || !has_commit(repository->git, reached)) return out;
  auto const& git = repository->git;
  Git const tree{place, use};
  out.head = reached;
  out.trouble = undo_moved_refs(*repository, tree, noted, reached);
  keep_run_head(git, run, reached);

  auto const& tip_before = noted.tip.empty() ? repository->tip : noted.tip;
  // Only the noted commit is believed if the agent may have moved the default branch.
  auto const& tip_now = out.trouble.empty() ? repository->tip : tip_before;
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
  if (!is_branch_of_run(noted, out.branch))
    look_at("the work tree is on the branch " + std::exchange(out.branch, {}) + ", which is not the task's");
  if (out.base.empty()) look_at(unrelated(out.branch, repository->default_branch));
  look_at(trouble_in_submodules(*repository, tree, added));
  return out;
}

}  // namespace andon::runner
