#include "runner/worktrees/run_work.hpp"

#include <filesystem>
#include <map>
#include <set>

#include "core/model/clone_url.hpp"
#include "core/runs/work_branch.hpp"
#include "os/system_error.hpp"
#include "runner/git/hooks.hpp"
#include "runner/git/stale_lock.hpp"
#include "runner/git/work_place.hpp"
#include "runner/objects/fetched_commit.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/changed_files.hpp"
#include "runner/worktrees/evidence.hpp"
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

/// Puts a tree without a branch back on the one of its task, where that loses no commit. A sentence when it
/// would.
std::string back_on_branch(Git const& tree, std::string const& branch, std::string const& head) {
  if (!checked_out_branch(tree).empty() || !unfinished_operation(tree).empty()) return {};
  auto const ref = "refs/heads/" + branch;
  auto const there = tree.text({"rev-parse", "--verify", "--quiet", ref + "^{commit}"});
  if (there && !contains(tree, head, *there))
    return "the work tree is on no branch, at a commit without those of " + branch +
           "; bring them together on that branch (git checkout " + branch + ", git merge " +
           head.substr(0, 12) + ")";
  tree.carry_out({"update-ref", ref, head});
  tree.carry_out({"symbolic-ref", "HEAD", ref});
  return {};
}

/// A sentence when the branch that the run began on has commits that the checked out one does not have.
std::string left_behind(Git const& tree, std::string const& branch, std::string const& head) {
  if (branch.empty() || branch == checked_out_branch(tree) || !unfinished_operation(tree).empty()) return {};
  auto const there = tree.text({"rev-parse", "--verify", "--quiet", "refs/heads/" + branch + "^{commit}"});
  if (!there || contains(tree, head, *there)) return {};
  return "the branch " + as_utf8(branch) + " has commits that the work tree is not on; bring them together";
}

std::string branch_at_start(WorkspaceSpec const& workspace, core::WorkPlace const& place,
                            RunStart const& noted) {
  return noted.work_branch.empty() ? branch_of_task(place.directory, {}, workspace.branch_prefix)
                                   : noted.work_branch;
}

/// Finds the work of a run in its tree. Fills `out` as far as git can be asked.
class Recording {
 public:
  Recording(WorkspaceSpec const& workspace, core::WorkPlace const& place, core::RunId run,
            RunStart const& noted, GitUse const& use, Settling const& settling)
      : workspace_(workspace), run_(run), noted_(noted), settling_(settling), tree_(place, use) {}

  RunWork run() {
    try {
      read();
    } catch (os::SystemError const& error) {
      look_at(error.what());
    }
    return std::move(out_);
  }

 private:
  void read() {
    auto const clone = open_clone(workspace_.repo, tree_.use(), workspace_.board_branch);
    if (!clone) return look_at(clone.error().message);
    auto const reached = head_commit(tree_.place(), tree_.use());
    if (reached.empty()) return look_at(why_no_head(tree_));
    if (settling_.is_finished) {
      drop_stale_lock(tree_.place());
      look_at(back_on_branch(tree_, branch_at_start(workspace_, tree_.place(), noted_), reached));
    }
    auto const trouble = take_in({.tree = tree_, .clone = *clone, .commit = reached, .before = noted_.head});
    if (!trouble.empty()) return look_at(trouble);
    out_.head = reached;
    out_.may_leave = false;  // before it is known
    settle(*clone, reached);
    compare(*clone);
    keep(*clone);
    remark();
  }

  void settle(Repository const& clone, std::string const& reached) {
    auto const& tip_before = noted_.tip.empty() ? clone.tip : noted_.tip;
    out_.base = base_of(clone.git, tip_before, clone.tip, reached);
    bool const commits = settling_.is_finished && is_branch_of_run(noted_, tree_);
    auto ledger = take_stock({.clone = clone,
                              .tree = tree_,
                              .head = reached,
                              .base = out_.base,
                              .kept_out = settling_.kept_out,
                              .filters = settling_.filters,
                              .is_remote = core::is_clone_url(workspace_.origin),
                              .commit = commits ? std::optional{settling_.commit} : std::nullopt});
    out_.head = ledger.head;
    not_done_ = settling_.is_finished ? why_not_done(ledger, settling_.commit.task, tree_.place().directory)
                                      : std::string{};
    out_.left_out = std::move(ledger.left_out);
    out_.left_out_count = static_cast<std::int64_t>(ledger.left_out_count);
    if (ledger.absent > 0)
      out_.remarks.push_back(
          "files that a sparse checkout left out of the work tree, and that stay as they are: " +
          std::to_string(ledger.absent));
    out_.may_leave = !ledger.is_sealed_open;
    uncommitted_ = std::move(ledger.uncommitted);
  }

  void compare(Repository const& clone) {
    auto const& git = clone.git;
    auto const& tip_before = noted_.tip.empty() ? clone.tip : noted_.tip;
    auto const before = noted_.head.empty() ? out_.base : noted_.head;
    added_ = changes_between(git, out_.base, out_.head);
    auto changed = files_of(changes_between(git, fork_point(git, tip_before, before), before), added_);
    if (!changed.empty()) out_.commits = commits_of(git, noted_, clone.tip, before, out_.head);
    changed.insert(uncommitted_.begin(), uncommitted_.end());
    out_.files_changed = static_cast<int>(changed.size()) + static_cast<int>(out_.left_out_count);
    out_.diff_size = diff_size(git, out_.base, out_.head);
  }

  /// Gives the work its names in the clone, and looks at what a person must know.
  void keep(Repository const& clone) {
    auto const& directory = tree_.place().directory;
    keep_run_head(clone.git, run_, out_.head);
    out_.branch = as_utf8(checked_out_branch(tree_));
    if (!is_branch_of_run(noted_, tree_))
      look_at("the work tree is on the branch " + std::exchange(out_.branch, {}) +
              ", which is not the task's");
    else if (!out_.branch.empty())
      clone.git.carry_out({"update-ref",
                           "refs/heads/" + branch_of_task(directory, out_.branch, workspace_.branch_prefix),
                           out_.head});
    if (out_.base.empty()) look_at(unrelated(out_.branch, clone.default_branch));
    look_at(trouble_in_submodules(workspace_.origin, tree_, added_));
    if (!settling_.is_finished) return;
    look_at(left_behind(tree_, noted_.work_branch, out_.head));
    look_at(not_done_);
  }

  /// Tells people what Andon's git did otherwise than theirs.
  void remark() {
    auto const owner = core::is_clone_url(workspace_.origin) ? std::unexpected(std::string{})
                                                             : find_work_place(workspace_.origin);
    auto const hooks = owner && !out_.commits.empty() ? hook_names(*owner) : std::vector<std::string>{};
    if (!hooks.empty()) out_.remarks.push_back("hooks were not run: " + shown_names(hooks));
    if (auto missing = about_missing_submodules(missing_submodules(tree_)); !missing.empty())
      out_.remarks.push_back(std::move(missing));
  }

  void look_at(std::string const& reason) {
    if (out_.trouble.empty()) out_.trouble = reason;
  }

  WorkspaceSpec const& workspace_;
  core::RunId run_;
  RunStart const& noted_;
  Settling const& settling_;
  Git const tree_;
  RunWork out_{};
  FileChanges added_{};
  std::vector<std::string> uncommitted_{};
  std::string not_done_{};
};

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

Settling settling_of(RunSpec const& spec, std::string subject, bool is_finished) {
  return {.commit = {spec.task, spec.worker, std::move(subject)},
          .kept_out = kept_out(spec),
          .filters = spec.workspace ? spec.workspace->filters : std::vector<std::string>{},
          .is_finished = is_finished};
}

RunWork record_work(WorkspaceSpec const& workspace, core::WorkPlace const& place, core::RunId run,
                    RunStart const& noted, GitUse const& use, Settling const& settling) {
  return Recording{workspace, place, run, noted, use, settling}.run();
}

void commit_unfinished(WorkspaceSpec const& workspace, core::WorkPlace const& place, Settling const& settling,
                       GitUse const& use) {
  auto const clone = open_clone(workspace.repo, use, workspace.board_branch);
  Git const tree{place, use};
  auto const head = head_commit(place, use);
  if (!clone || head.empty()) return;  // the next steps say so
  drop_stale_lock(place);
  if (auto const trouble = take_in({.tree = tree, .clone = *clone, .commit = head}); !trouble.empty())
    throw GitFailure(trouble);
  take_stock({.clone = *clone,
              .tree = tree,
              .head = head,
              .base = fork_point(clone->git, clone->tip, head),
              .kept_out = settling.kept_out,
              .filters = settling.filters,
              .is_remote = core::is_clone_url(workspace.origin),
              .commit = settling.commit});
}

}  // namespace andon::runner
