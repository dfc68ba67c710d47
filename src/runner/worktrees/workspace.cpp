#include "runner/worktrees/workspace.hpp"

#include "core/runs/work_branch.hpp"
#include "os/files/file.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/ref_guard.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/repository_records.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;

std::unexpected<core::Error> no_workspace(std::string const& directory, std::string const& why) {
  return core::refuse(core::Code::kConflict, "no work tree at " + directory + ": " + shown_reason(why));
}

std::string remote_commit(Git const& git, std::string const& branch) {
  return git.text({"rev-parse", "--verify", "--quiet", "refs/remotes/origin/" + branch + "^{commit}"})
      .value_or("");
}

/// Whether a branch is there: in a clone also when only its remote has it.
bool is_taken(Git const& git, std::string const& branch, WorkspaceSpec const& spec) {
  return has_branch(git, branch) || (!spec.url.empty() && !remote_commit(git, branch).empty());
}

/// The branch of the task's earlier attempts, otherwise a new one named after the directory. An existing
/// branch of that name may belong to another store that uses this repository, so it is not taken.
std::string branch_for(Git const& git, WorkspaceSpec const& spec) {
  if (!spec.branch.empty() && has_branch(git, spec.branch)) return spec.branch;
  auto const name = std::string{core::kWorkBranches} + fs::path{spec.directory}.filename().native();
  auto branch = name;
  for (int count = 2; is_taken(git, branch, spec); ++count) branch = name + "-" + std::to_string(count);
  return branch;
}

/// The work tree at the directory, if it belongs to this repository.
Result<core::WorkPlace> found_tree(Repository const& repository, fs::path const& directory) {
  auto tree = open_checkout(repository.git, directory);
  if (!tree || tree->place().git_directory == repository.git.place().git_directory)
    return no_workspace(directory,
                        "what is there is no work tree of that repository; look at it, then remove "
                        "it with: andon work clean --force");
  return tree->place();
}

Result<core::WorkPlace> make_tree(Repository const& repository, WorkspaceSpec const& spec) {
  fs::path const directory{spec.directory};
  auto const folder = directory.parent_path();
  os::make_private_directory(folder);
  // Two concurrent `git worktree add` read each other's incomplete trees, so a lock separates them.
  auto const turn = RepositoryRecords{repository.git.use().records, repository.git.place()}.take_turn();
  if (!turn) return no_workspace(directory, turn.error());
  forget_removed_trees(repository.git, folder);
  auto const git = repository.git.changing(folder);
  auto const branch = branch_for(git, spec);
  auto const made = has_branch(git, branch)
                        ? git.run({"worktree", "add", "--quiet", directory.native(), branch})
                        : git.run({"worktree", "add", "--quiet", "--no-track", "-b", branch,
                                   directory.native(), repository.tip});
  if (!made.good) return no_workspace(directory, made.complaint);
  return found_tree(repository, directory);
}

/// Removes git's lock. No process of an earlier attempt is left, so no process owns it.
void drop_stale_lock(core::WorkPlace const& place) {
  std::error_code ignored;
  fs::remove(fs::path{place.git_directory} / "index.lock", ignored);
}

/// Whether a tree was made for this task. A tree without a recorded place is older than such records. Then
/// its branch must be the one of the task's earlier runs.
bool was_made_for_it(WorkspaceSpec const& spec, Git const& tree) {
  if (spec.place && *spec.place == tree.place()) return true;
  // The latest run may have had another tree, on another host.
  if (spec.place && spec.url.empty()) return false;
  return !spec.branch.empty() && checked_out_branch(tree) == spec.branch;
}

/// Whether a branch is none on which a task works.
bool is_foreign(WorkspaceSpec const& spec, std::string const& branch) {
  return !branch.empty() && !branch.starts_with(core::kWorkBranches) && branch != spec.branch;
}

/// Moves the tree forward to what the remote has of its branch. False when the tree has other work.
bool has_latest_work(Git const& tree, WorkspaceSpec const& spec) {
  auto const far = spec.url.empty() ? std::string{} : remote_commit(tree, checked_out_branch(tree));
  if (far.empty() || contains(tree, "HEAD", far)) return true;
  return tree.run({"status", "--porcelain", Git::kNotNested}).out.empty() &&
         tree.succeeds({"merge", "--quiet", "--ff-only", far});
}

Result<core::WorkPlace> take_up_tree(Repository const& repository, WorkspaceSpec const& spec) {
  ANDON_TRY(auto place, found_tree(repository, spec.directory));
  Git const tree{place, repository.git.use()};
  if (!was_made_for_it(spec, tree))
    return no_workspace(spec.directory,
                        "what is there is not the work tree that was made for the task; look at it, then "
                        "remove it with: andon work clean --force");
  if (auto const branch = checked_out_branch(tree); is_foreign(spec, branch))
    return no_workspace(spec.directory, "it is on the branch " + branch + ", which is not the task's");
  drop_stale_lock(place);
  bool const is_untouched = tree.run({"status", "--porcelain", Git::kNotNested}).out.empty() &&
                            contains(tree, repository.tip, head_commit(place, tree.use()));
  if (is_untouched) tree.run({"merge", "--quiet", "--ff-only", repository.tip});
  if (!has_latest_work(tree, spec))
    return no_workspace(
        spec.directory,
        "a run on another host has brought its branch further, and this tree has changes of its "
        "own; remove it with: andon work clean --force");
  return place;
}

/// The nested repositories: submodules, and those that an agent made.
std::vector<std::string> nested_repositories(Git const& tree) {
  std::vector<std::string> out;
  for (auto const& line : tree.list({"ls-files", "--stage", "-z"}, '\0'))
    if (line.starts_with("160000 ")) out.push_back(line.substr(line.find('\t') + 1));
  for (auto& path : tree.list({"ls-files", "--others", "--exclude-standard", "-z"}, '\0'))
    if (path.ends_with('/')) out.push_back(path.substr(0, path.size() - 1));
  return out;
}

bool has_unfinished_merge(Git const& tree) {
  return !tree.succeeds({"symbolic-ref", "--quiet", "HEAD"}) ||
         tree.succeeds({"rev-parse", "--verify", "--quiet", "MERGE_HEAD"}) ||
         !tree.list({"ls-files", "--unmerged"}).empty();
}

}  // namespace

Result<core::WorkPlace> prepare_workspace(WorkspaceSpec const& spec, core::TaskId, GitUse const& use) {
  ANDON_TRY(auto const repository, open_repository(spec.repo, use));
  fs::path const directory{spec.directory};
  std::error_code trouble;
  auto const there = fs::symlink_status(directory, trouble);
  if (!fs::exists(there)) return make_tree(repository, spec);
  if (!fs::is_directory(there)) return no_workspace(directory, "what is there is no directory");
  return take_up_tree(repository, spec);
}

Result<NotedRefs> note_run(WorkspaceSpec const& spec, core::WorkPlace const& place, core::RunId run,
                           GitUse const& use) {
  ANDON_TRY(auto const repository, open_repository(spec.repo, use));
  auto noted = note_refs(repository, spec.branch);
  noted.head = head_commit(place, use);
  noted.work_branch = checked_out_branch(Git{place, use});
  RepositoryRecords{use.records, repository.git.place()}.keep_refs(run, noted);
  return noted;
}

void commit_leftovers(core::WorkPlace const& place, core::TaskId task, std::string const& worker,
                      std::string const& subject, NotedRefs const& noted, GitUse const& use,
                      std::vector<std::string> const& kept_out) {
  Git const tree{place, use};
  if (!is_branch_of_run(noted, checked_out_branch(tree)) || has_unfinished_merge(tree) ||
      tree.run({"status", "--porcelain", Git::kNotNested}).out.empty())
    return;
  std::vector<std::string> add{"add", "--all", "--", "."};
  for (auto const& path : nested_repositories(tree)) add.push_back(":(exclude,literal)" + path);
  for (auto const& path : kept_out) add.push_back(":(exclude,literal)" + path);
  if (!tree.succeeds(add)) return;
  tree.run({"commit", "--quiet", "--no-verify", "-m",
            (subject.empty() ? "Work" : subject) + "\n\nTask #" + std::to_string(task) + "\n"},
           {{"GIT_AUTHOR_NAME", worker}, {"GIT_AUTHOR_EMAIL", core::kAgentAddress}});
}

}  // namespace andon::runner
