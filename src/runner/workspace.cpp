#include "runner/workspace.hpp"

#include "core/work_branch.hpp"
#include "os/file.hpp"
#include "runner/plain_text.hpp"
#include "runner/repository.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::size_t kReasonBytes = 300;

std::unexpected<core::Error> no_workspace(std::string const& directory, std::string const& why) {
  return core::refuse(core::Code::kConflict,
                      "no work tree at " + directory + ": " + std::string{head(as_utf8(why), kReasonBytes)});
}

/// The branch of the task's earlier attempts, else one with the name of the directory.
std::string branch_for(Git const& git, core::TaskId task, fs::path const& directory) {
  auto const prefix = std::string{core::kWorkBranches} + std::to_string(task) + "-";
  auto const known = git.list({"for-each-ref", "--format=%(refname:short)", "refs/heads/" + prefix + "*"});
  return known.empty() ? std::string{core::kWorkBranches} + directory.filename().native() : known.front();
}

Result<void> make_tree(Repository const& repository, fs::path const& directory, core::TaskId task) {
  auto const& git = repository.git;
  os::make_private_directory(directory.parent_path());
  forget_removed_trees(git, directory.parent_path());
  auto const branch = branch_for(git, task, directory);
  bool const is_known = git.succeeds({"rev-parse", "--verify", "--quiet", "refs/heads/" + branch});
  auto const made = is_known ? git.run({"worktree", "add", "--quiet", directory.native(), branch})
                             : git.run({"worktree", "add", "--quiet", "--no-track", "-b", branch,
                                        directory.native(), repository.tip});
  if (!made.good) return no_workspace(directory, made.complaint);
  return {};
}

/// Where no process of an earlier attempt is left, its locks are nobody's.
void drop_stale_lock(Git const& tree) {
  auto const own = tree.text({"rev-parse", "--path-format=absolute", "--git-dir"});
  std::error_code ignored;
  if (own) fs::remove(fs::path{*own} / "index.lock", ignored);
}

Result<void> take_up_tree(Repository const& repository, fs::path const& directory) {
  Git const tree{directory};
  auto const common = tree.text({"rev-parse", "--path-format=absolute", "--git-common-dir"});
  auto const top = tree.text({"rev-parse", "--show-toplevel"});
  std::error_code trouble;
  if (common != repository.common || !top || !fs::equivalent(*top, directory, trouble))
    return no_workspace(directory,
                        "what is there is no work tree of that repository; look at it, then remove "
                        "it with: andon work clean --force");
  drop_stale_lock(tree);
  bool const is_untouched = tree.run({"status", "--porcelain", Git::kNotNested}).out.empty() &&
                            contains(tree, repository.tip, head_commit(directory));
  if (is_untouched) tree.run({"merge", "--quiet", "--ff-only", repository.tip});
  return {};
}

/// Those that are known, and those that an agent made.
std::vector<std::string> nested_repositories(Git const& tree) {
  std::vector<std::string> out;
  for (auto const& line : tree.list({"ls-files", "--stage", "-z"}, '\0'))
    if (line.starts_with("160000 ")) out.push_back(line.substr(line.find('\t') + 1));
  for (auto& path : tree.list({"ls-files", "--others", "--exclude-standard", "-z"}, '\0'))
    if (path.ends_with('/')) out.push_back(path.substr(0, path.size() - 1));
  return out;
}

bool is_in_the_middle(Git const& tree) {
  return !tree.succeeds({"symbolic-ref", "--quiet", "HEAD"}) ||
         tree.succeeds({"rev-parse", "--verify", "--quiet", "MERGE_HEAD"}) ||
         !tree.list({"ls-files", "--unmerged"}).empty();
}

}  // namespace

Result<void> prepare_workspace(WorkspaceSpec const& spec, core::TaskId task) {
  ANDON_TRY(auto const repository, open_repository(spec.repo));
  fs::path const directory{spec.directory};
  std::error_code trouble;
  auto const there = fs::symlink_status(directory, trouble);
  if (!fs::exists(there)) return make_tree(repository, directory, task);
  if (!fs::is_directory(there)) return no_workspace(directory, "what is there is no directory");
  return take_up_tree(repository, directory);
}

void commit_leftovers(WorkspaceSpec const& spec, core::TaskId task, std::string const& worker) {
  Git const tree{spec.directory};
  if (is_in_the_middle(tree) || tree.run({"status", "--porcelain", Git::kNotNested}).out.empty()) return;
  std::vector<std::string> add{"add", "--all", "--", "."};
  for (auto const& path : nested_repositories(tree)) add.push_back(":(exclude,literal)" + path);
  if (!tree.succeeds(add)) return;
  tree.run({"commit", "--quiet", "--no-verify", "-m",
            "Keep what was left uncommitted on #" + std::to_string(task)},
           {{"GIT_AUTHOR_NAME", worker}, {"GIT_AUTHOR_EMAIL", "andon@andon.invalid"}});
}

WorkRecord record_work(WorkspaceSpec const& spec, core::RunId run) {
  auto const repository = open_repository(spec.repo);
  auto const reached = head_commit(spec.directory);
  if (!repository || reached.empty()) return {};
  keep_run_head(repository->git, run, reached);
  return {fork_point(repository->git, repository->tip, reached), reached};
}

}  // namespace andon::runner
