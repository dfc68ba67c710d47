#include "runner/worktrees/workspace.hpp"

#include <limits>

#include "core/model/clone_url.hpp"
#include "core/runs/work_branch.hpp"
#include "os/files/file.hpp"
#include "os/files/scratch_directory.hpp"
#include "runner/git/filter_keys.hpp"
#include "runner/git/stale_lock.hpp"
#include "runner/git/work_place.hpp"
#include "runner/objects/large_files.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/ledger.hpp"
#include "runner/worktrees/linked_tree.hpp"
#include "runner/worktrees/moved_large_files.hpp"
#include "runner/worktrees/own_repository.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/run_work.hpp"

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

/// Whether the clone has a branch, or its origin had one.
bool is_taken(Git const& git, std::string const& branch) {
  return has_branch(git, branch) || !remote_commit(git, branch).empty();
}

/// Whether the clone has the recorded branch of the task. The board may have had another prefix then.
bool is_known(Git const& git, WorkspaceSpec const& spec) {
  auto const name = fs::path{spec.directory}.filename().native();
  return core::task_of_branch(spec.branch) == core::task_of_work(name) && has_branch(git, spec.branch);
}

/// The branch of the task's earlier attempts, otherwise a new one named after the directory. An existing
/// branch of that name may belong to another data directory that uses the same origin, so it is not taken.
std::string branch_for(Git const& git, WorkspaceSpec const& spec) {
  auto const name = branch_of_task(spec.directory, {}, spec.branch_prefix);
  if (!spec.branch.empty()) {
    if (is_known(git, spec)) return spec.branch;
    if (has_branch(git, name)) return name;
  }
  auto branch = name;
  for (int count = 2; is_taken(git, branch); ++count) branch = name + "-" + std::to_string(count);
  return branch;
}

/// The commit with which a branch of work goes on, or begins.
std::string start_of_branch(Repository const& repository, std::string const& branch) {
  return repository.git.text({"rev-parse", "--verify", "--quiet", "refs/heads/" + branch})
      .value_or(repository.tip);
}

/// Brings what filters need beside git's objects from a person's repository to the clone: keys, and the large
/// files of the commit at which work begins. A file that is not there stays a pointer in the work tree.
void take_parts_of_filters(Repository const& repository, WorkspaceSpec const& spec) {
  auto const held = held_filters(spec.filters);
  if (core::is_clone_url(spec.origin) || held.empty()) return;
  auto const owner = find_work_place(spec.origin);
  if (!owner) return;
  give_filter_keys(held, owner->common_directory, repository.git.place().common_directory);
  if (!held.contains(kLargeFileFilter)) return;
  os::ScratchDirectory const scratch{fs::path{repository.git.place().directory}.parent_path()};
  bring_large_files_of({.clone = repository.git,
                        .scratch = scratch.path(),
                        .from = owner->common_directory,
                        .to = repository.git.place().common_directory,
                        .most = std::numeric_limits<std::int64_t>::max()},
                       repository.tip);
}

Result<core::WorkPlace> make_tree(Repository const& repository, WorkspaceSpec const& spec) {
  if (auto const why = why_no_branches(repository.git, "refs/remotes/origin/", spec.branch_prefix);
      !why.empty())
    return core::refuse(core::Code::kConflict, "the repository " + spec.origin + " " + why, "branch_prefix");
  auto const branch = branch_for(repository.git, spec);
  return make_own_repository(repository, {spec.directory, branch, start_of_branch(repository, branch),
                                          spec.origin, held_filters(spec.filters)});
}

/// Whether a branch is none on which a task works.
bool is_foreign(WorkspaceSpec const& spec, std::string const& branch) {
  bool const is_of_work = branch.starts_with(spec.branch_prefix + "/") ||
                          branch.starts_with(std::string{core::kUsualPrefix} + "/");
  return !branch.empty() && !is_of_work && branch != spec.branch;
}

std::string on_foreign_branch(std::string const& branch) {
  return "it is on the branch " + branch + ", which is not the task's";
}

/// Why a linked work tree cannot get a repository of its own; empty when it can.
std::string why_not_taken_over(Repository const& repository, WorkspaceSpec const& spec, Git const& linked) {
  auto const branch = checked_out_branch(linked);
  if (branch.empty() || !unfinished_operation(linked).empty())
    return "a merge or rebase is under way in it, or it is on no branch; finish that with git there, then: "
           "andon unblock";
  if (branch_of_task(spec.directory, branch, spec.branch_prefix) != branch) return on_foreign_branch(branch);
  auto const head = head_commit(linked.place(), linked.use());
  if (!has_commit(repository.git, head)) return "its commit " + head + " is not in Andon's clone";
  if (auto const modules = submodules_of_linked_tree(linked.place()); !modules.empty())
    return "git keeps the commits of its submodules in " + modules.native() +
           "; push what must stay, run there: git submodule deinit --all --force, move that directory away, "
           "then: andon unblock";
  return {};
}

/// A linked work tree of the person's repository, as earlier versions made it, gets a repository of its own.
/// Its files and its branch stay, and git's record of it goes.
Result<core::WorkPlace> take_over(Repository const& repository, WorkspaceSpec const& spec,
                                  Git const& linked) {
  auto const owner = open_owner(spec.origin, spec.repo, linked.use());
  if (!owner || !is_linked_tree_of(*owner, linked.place()))
    return no_workspace(spec.directory,
                        "what is there is no work tree of that repository; look at it, then remove "
                        "it with: andon work clean --force");
  if (auto const why = why_not_taken_over(repository, spec, linked); !why.empty())
    return no_workspace(spec.directory, why);
  auto const branch = checked_out_branch(linked);
  auto const head = head_commit(linked.place(), linked.use());
  return renew_own_repository(repository,
                              {spec.directory, branch, head, spec.origin, held_filters(spec.filters)});
}

/// Removes what git knows of the linked work tree from which a tree was taken over. The process that took it
/// over may have been killed before.
void forget_taken_over(WorkspaceSpec const& spec, core::WorkPlace const& former, Git const& tree) {
  auto const owner = open_owner(spec.origin, spec.repo, {.limit = tree.use().limit, .stop = tree.use().stop});
  if (!owner || is_own_repository(former) || former.directory != tree.place().directory) return;
  auto const branch = core::is_clone_url(spec.origin) ? std::string{} : checked_out_branch(tree);
  auto const commit = owner->text({"rev-parse", "--verify", "--quiet", "refs/heads/" + branch}).value_or("");
  bool const has_it = !branch.empty() && contains(tree, "HEAD", commit);
  forget_linked_tree(*owner, former, has_it ? branch : "", commit);
}

/// Whether a tree was made for this task. A tree without a recorded place is older than such records. Then
/// its branch must be the one of the task's earlier runs.
bool was_made_for_it(WorkspaceSpec const& spec, Git const& tree) {
  if (spec.place && is_recorded_tree(*spec.place, tree.place())) return true;
  // The latest run may have had another tree, on another host.
  if (spec.place && !core::is_clone_url(spec.origin)) return false;
  return !spec.branch.empty() && checked_out_branch(tree) == spec.branch;
}

/// Gives the tree of a task a new repository when an agent damaged the one it had. The work that Andon
/// fetched stays, and so do the files.
Result<core::WorkPlace> repair(Repository const& repository, WorkspaceSpec const& spec,
                               std::string const& damage) {
  auto const now = directory_identity(spec.directory);
  if (!spec.place || spec.place->directory != spec.directory || !now || *now != spec.place->directory_id)
    return no_workspace(spec.directory,
                        damage + "; look at it, then remove it with: andon work clean --force");
  auto const branch = branch_for(repository.git, spec);
  return renew_own_repository(repository, {spec.directory, branch, start_of_branch(repository, branch),
                                           spec.origin, held_filters(spec.filters)});
}

/// Moves the tree forward to what the origin has of its branch. False when the tree has other work.
bool has_latest_work(Git const& tree) {
  auto const far = remote_commit(tree, checked_out_branch(tree));
  if (far.empty() || contains(tree, "HEAD", far)) return true;
  return tree.run({"status", "--porcelain", Git::kNotNested}).out.empty() &&
         tree.succeeds({"merge", "--quiet", "--ff-only", far});
}

/// Why git cannot work in a repository of a task; empty when it can, or when that is not known.
std::string damage_of(Git const& tree) {
  if (!is_own_repository(tree.place())) return {};
  auto const head = tree.run({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"});
  if (head.good || head.too_long || head.signal) return {};
  return head.complaint.empty() ? "its HEAD names no commit" : head.complaint;
}

Result<core::WorkPlace> take_up_tree(Repository const& repository, WorkspaceSpec const& spec,
                                     GitUse const& use) {
  auto const found = find_work_place(spec.directory);
  if (!found) return repair(repository, spec, found.error());
  auto tree = Git{*found, use}.with_filters(held_filters(spec.filters));
  if (!was_made_for_it(spec, tree))
    return no_workspace(spec.directory,
                        "what is there is not the work tree that was made for the task; look at it, then "
                        "remove it with: andon work clean --force");
  drop_stale_lock(*found);
  if (auto const damage = damage_of(tree); !damage.empty()) {
    ANDON_TRY(auto place, repair(repository, spec, damage));
    tree = Git{std::move(place), tree.use()};
  } else if (!is_own_repository(*found)) {
    ANDON_TRY(auto place, take_over(repository, spec, Git{*found, repository.git.use()}));
    tree = Git{std::move(place), tree.use()};
    forget_taken_over(spec, *found, tree);
  } else if (spec.place) {
    forget_taken_over(spec, *spec.place, tree);
  }
  if (auto const branch = checked_out_branch(tree); is_foreign(spec, branch))
    return no_workspace(spec.directory, on_foreign_branch(branch));
  if (auto const trouble = refresh_own_repository(repository, tree); !trouble.empty())
    return no_workspace(spec.directory, trouble);
  bool const is_untouched = tree.run({"status", "--porcelain", Git::kNotNested}).out.empty() &&
                            contains(tree, repository.tip, head_commit(tree.place(), use));
  if (is_untouched) tree.attempt({"merge", "--quiet", "--ff-only", repository.tip});
  if (!has_latest_work(tree))
    return no_workspace(spec.directory,
                        "its branch was brought further elsewhere, and this tree has changes of its own; "
                        "remove it with: andon work clean --force");
  return tree.place();
}

}  // namespace

std::string branch_of_task(fs::path const& directory, std::string const& branch, std::string_view prefix) {
  auto const name = directory.filename().native();
  if (core::is_branch_of_task(branch, core::task_of_work(name), prefix)) return branch;
  return std::string{prefix} + "/" + name;
}

GitUse use_for(WorkspaceSpec const& workspace) { return {.lender = objects_of_clone(workspace.repo)}; }

GitUse use_for(RunSpec const& spec) {
  return spec.workspace ? use_for(*spec.workspace) : GitUse{.records = spec.records};
}

Result<core::WorkPlace> prepare_workspace(WorkspaceSpec const& spec, GitUse const& use) {
  ANDON_TRY(auto const repository, open_clone(spec.repo, use, spec.board_branch));
  take_parts_of_filters(repository, spec);
  fs::path const directory{spec.directory};
  remove_unfinished_tree(directory);
  std::error_code trouble;
  auto const there = fs::symlink_status(directory, trouble);
  if (!fs::exists(there)) return make_tree(repository, spec);
  if (!fs::is_directory(there)) return no_workspace(directory, "what is there is no directory");
  return take_up_tree(repository, spec, use);
}

Result<RunStart> note_run(WorkspaceSpec const& spec, core::WorkPlace const& place, GitUse const& use) {
  ANDON_TRY(auto const repository, open_clone(spec.repo, use, spec.board_branch));
  Git const tree{place, use};
  RunStart out{head_commit(place, use), repository.default_branch, repository.tip, spec.branch,
               checked_out_branch(tree)};
  auto const trouble = take_in({.tree = tree, .clone = repository, .commit = out.head});
  return trouble.empty() ? Result<RunStart>{std::move(out)} : no_workspace(spec.directory, trouble);
}

}  // namespace andon::runner
