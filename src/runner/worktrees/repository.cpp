#include "runner/worktrees/repository.hpp"

#include <algorithm>
#include <ranges>

#include "runner/git/work_place.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::string_view kBranches = "refs/heads/";
constexpr std::string_view kOrigin = "origin/";
constexpr std::string_view kOriginBranches = "refs/remotes/origin/";

std::unexpected<core::Error> unfit(std::string const& directory, std::string const& why) {
  return core::refuse(core::Code::kInvalidInput, "the repository " + directory + " " + why, "repo");
}

/// Whether git's record of a work tree lies in the shared directory.
bool is_linked(core::WorkPlace const& place) {
  auto const record = fs::path{place.git_directory};
  return record.parent_path() == fs::path{place.common_directory} / "worktrees";
}

/// The branch that is checked out; empty for none.
std::string branch_here(Git const& git) {
  auto const here = git.text({"symbolic-ref", "--short", "--quiet", "HEAD"});
  return here && has_branch(git, *here) ? *here : std::string{};
}

std::string cannot_be_read(std::string const& why) { return "cannot be read by git: " + shown_reason(why); }

std::string why_none(fs::path const& directory, std::string const& why) {
  std::error_code trouble;
  bool const is_bare =
      fs::exists(directory / "HEAD", trouble) && fs::is_directory(directory / "objects", trouble);
  if (is_bare) return "is bare: work trees need one with files; name a clone of it";
  auto const top = top_above(directory);
  if (top.empty() || fs::exists(directory / ".git", trouble)) return cannot_be_read(why);
  return "has its files elsewhere (" + top.native() + "); name its top directory";
}

/// Why HEAD names no commit that git can read.
std::string why_no_commit(Git const& git, std::string const& complaint) {
  auto const named = git.text({"rev-parse", "--verify", "--quiet", "HEAD"});
  if (!named) return "has no commit to start from; make a first one";
  std::error_code none;
  bool const borrows = fs::exists(fs::path{git.place().common_directory} / "objects/info/alternates", none);
  return "does not have its commit " + *named + (complaint.empty() ? "" : ": " + shown_reason(complaint)) +
         (borrows ? "; put the objects back that its objects/info/alternates names" : "");
}

/// The branches below that folder of refs, the newest first.
std::vector<std::string> names_of_branches(Git const& git, std::string const& folder) {
  auto out =
      git.list({"for-each-ref", "--count=200", "--sort=-committerdate", "--format=%(refname)", folder});
  for (auto& ref : out) ref.erase(0, std::min(folder.size(), ref.size()));
  std::erase_if(out, [](std::string const& name) { return name.empty() || name == "HEAD"; });
  return out;
}

/// The place of the files if `core.worktree` moves them elsewhere; such a repository is refused.
std::optional<std::string> files_elsewhere(Git const& git) {
  auto const named =
      git.text({"config", "--file", git.place().common_directory + "/config", "core.worktree"});
  if (!named) return std::nullopt;
  std::error_code trouble;
  auto const place = fs::weakly_canonical(fs::path{git.place().common_directory} / *named, trouble);
  return place == git.place().directory ? std::nullopt : std::optional{place.native()};
}

/// Whether a work tree is linked, or the main one of its repository.
bool is_work_tree_of(core::WorkPlace const& tree, core::WorkPlace const& repository) {
  return tree.common_directory == repository.common_directory &&
         tree.common_directory_id == repository.common_directory_id &&
         (is_linked(tree) || tree.git_directory == tree.common_directory);
}

/// The files of a main work tree. Git lists that of a submodule at its git directory, whose settings name
/// the place of the files.
fs::path files_of_listed(Git const& git, fs::path const& listed) {
  auto const& common = git.place().common_directory;
  if (listed != common) return listed;
  if (git.place().git_directory == common) return git.place().directory;
  auto const named = git.text({"config", "--file", common + "/config", "core.worktree"});
  std::error_code trouble;
  return named ? fs::weakly_canonical(fs::path{common} / *named, trouble) : listed;
}

}  // namespace

/// A person who names a linked work tree means the branch for which it was made.
std::string own_branch_of(Git const& git) {
  auto const here = branch_here(git);
  if (is_linked(git.place()) && !here.empty()) return here;
  auto const remote = git.text({"symbolic-ref", "--short", "--quiet", "refs/remotes/origin/HEAD"});
  if (remote && remote->starts_with(kOrigin) && has_branch(git, remote->substr(kOrigin.size())))
    return remote->substr(kOrigin.size());
  for (auto const* name : {"main", "master"})
    if (has_branch(git, name)) return name;
  return here;
}

std::string shown_names(std::vector<std::string> const& files) {
  constexpr std::size_t kMostNames = 20;
  std::string out;
  auto const shown = std::min(files.size(), kMostNames);
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : ", ") + as_utf8(files[i]);
  return files.size() > shown ? out + " and " + std::to_string(files.size() - shown) + " more" : out;
}

std::string why_no_branches(Git const& git, std::string const& folder, std::string const& prefix) {
  for (auto end = prefix.find('/');; end = prefix.find('/', end + 1)) {
    auto const taken = prefix.substr(0, end);
    if (git.succeeds({"rev-parse", "--verify", "--quiet", folder + taken}))
      return "has a branch " + taken + ", so git can make no branches " + prefix +
             "/… of tasks there; give them another prefix, such as --branch-prefix agents";
    if (end == std::string::npos) return {};
  }
}

core::Error no_such_branch(std::string const& repository, std::string const& branch,
                           std::vector<std::string> const& there) {
  constexpr std::size_t kMostNames = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(there.size(), kMostNames); ++i)
    names += (i == 0 ? "" : ", ") + as_utf8(there[i]);
  if (there.size() > kMostNames) names += " and " + std::to_string(there.size() - kMostNames) + " more";
  return {core::Code::kInvalidInput,
          "the repository " + repository + " has no branch " + as_utf8(branch) +
              (names.empty() ? "" : "; it has " + names) +
              ". Set another with --branch, or make this one there",
          "branch",
          {},
          {}};
}

Result<Repository> open_repository(fs::path const& directory, GitUse use, std::string const& branch) {
  auto const& name = directory.native();
  std::error_code trouble;
  if (!fs::is_directory(directory, trouble)) return unfit(name, "is not there");
  auto opened = open_git(directory, std::move(use));
  if (!opened) return unfit(name, why_none(directory, opened.error()));
  Repository out{*std::move(opened), {}, {}};
  auto const& git = out.git;
  auto const known = git.run({"rev-parse", "--is-inside-work-tree"});
  if (!known.good) return unfit(name, cannot_be_read(known.complaint));
  if (auto const elsewhere = files_elsewhere(git))
    return unfit(name, "has its files elsewhere (" + *elsewhere + "); name its top directory");
  if (auto const commit = git.run({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}); !commit.good)
    return unfit(name, why_no_commit(git, commit.complaint));
  if (!branch.empty() && !has_branch(git, branch))
    return std::unexpected(no_such_branch(name, branch, names_of_branches(git, "refs/heads/")));
  out.default_branch = branch.empty() ? own_branch_of(git) : branch;
  if (out.default_branch.empty())
    return unfit(name, "has no default branch: it is on no branch, and there is neither main nor master");
  out.tip = git.text({"rev-parse", std::string{kBranches} + out.default_branch + "^{commit}"}).value_or("");
  return out;
}

Result<Repository> open_clone(fs::path const& directory, GitUse use, std::string const& branch) {
  auto const& name = directory.native();
  use.lender.clear();
  auto opened = open_git(directory, std::move(use));
  if (!opened) return unfit(name, cannot_be_read(opened.error()));
  Repository out{opened->as_own(), branch, {}};
  if (branch.empty()) {
    auto const named = out.git.run({"symbolic-ref", "--short", "refs/remotes/origin/HEAD"});
    if (!named.good || !named.out.starts_with(kOrigin)) return unfit(name, cannot_be_read(named.complaint));
    out.default_branch = named.out.substr(kOrigin.size(), named.out.find('\n') - kOrigin.size());
  }
  // A board whose branch was set a moment ago finds it below the origin's branches.
  GitAnswer tip;
  for (auto const folder : {kBranches, kOriginBranches})
    if (tip = out.git.run({"rev-parse", "--verify", std::string{folder} + out.default_branch + "^{commit}"});
        tip.good)
      break;
  if (!tip.good && !branch.empty())
    return std::unexpected(
        no_such_branch(name, branch, names_of_branches(out.git, std::string{kOriginBranches})));
  if (!tip.good) return unfit(name, cannot_be_read(tip.complaint));
  out.tip = tip.out.substr(0, tip.out.find('\n'));
  return out;
}

std::expected<Git, std::string> open_checkout(Git const& git, fs::path const& directory) {
  std::error_code trouble;
  if (fs::equivalent(directory, git.place().directory, trouble)) return git;
  auto found = find_work_place(directory);
  if (!found) return std::unexpected(found.error());
  if (!is_work_tree_of(*found, git.place()))
    return std::unexpected(directory.native() + " is no work tree of that repository");
  return Git{*std::move(found), git.use()};
}

std::expected<fs::path, std::string> checkout_of(Git const& git, std::string const& branch) {
  constexpr std::string_view kTree = "worktree ";
  auto const listed = git.run({"worktree", "list", "--porcelain", "-z"});
  if (!listed.good)
    return std::unexpected("the work trees of " + git.place().directory +
                           " cannot be listed: " + shown_reason(listed.complaint));
  fs::path tree;
  std::error_code trouble;
  for (auto const part : std::views::split(listed.out, '\0')) {
    std::string_view const line{part};
    if (line.starts_with(kTree)) tree = line.substr(kTree.size());
    if (line == "branch " + std::string{kBranches} + branch && fs::exists(tree, trouble))
      return files_of_listed(git, tree);
  }
  return {};
}

void forget_removed_trees(Git const& git, fs::path const& folder) {
  constexpr std::string_view kTree = "worktree ";
  std::error_code trouble;
  for (auto const& line : git.list({"worktree", "list", "--porcelain", "-z"}, '\0')) {
    if (!line.starts_with(kTree)) continue;
    fs::path const tree{line.substr(kTree.size())};
    if (tree.parent_path() == folder && !fs::exists(tree, trouble))
      git.attempt({"worktree", "remove", "--force", tree.native()});
  }
}

void keep_run_head(Git const& git, core::RunId run, std::string const& head) {
  if (!head.empty()) git.carry_out({"update-ref", "refs/andon/runs/" + std::to_string(run), head});
}

}  // namespace andon::runner
