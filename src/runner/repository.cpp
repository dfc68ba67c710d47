#include "runner/repository.hpp"

#include "runner/plain_text.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::string_view kBranches = "refs/heads/";
constexpr std::size_t kReasonBytes = 300;

std::unexpected<core::Error> unfit(std::string const& directory, std::string const& why) {
  return core::refuse(core::Code::kInvalidInput, "the repository " + directory + " " + why, "repo");
}

bool has_branch(Git const& git, std::string const& name) {
  return git.succeeds({"rev-parse", "--verify", "--quiet", std::string{kBranches} + name + "^{commit}"});
}

std::string default_branch_of(Git const& git) {
  constexpr std::string_view kOrigin = "origin/";
  auto const remote = git.text({"symbolic-ref", "--short", "--quiet", "refs/remotes/origin/HEAD"});
  if (remote && remote->starts_with(kOrigin) && has_branch(git, remote->substr(kOrigin.size())))
    return remote->substr(kOrigin.size());
  for (auto const* name : {"main", "master"})
    if (has_branch(git, name)) return name;
  auto const here = git.text({"symbolic-ref", "--short", "--quiet", "HEAD"});
  return here && has_branch(git, *here) ? *here : std::string{};
}

}  // namespace

Result<Repository> open_repository(fs::path const& directory, Environment marks) {
  auto const& name = directory.native();
  std::error_code trouble;
  if (!fs::is_directory(directory, trouble)) return unfit(name, "is not there");
  Repository out{Git{directory, std::move(marks)}, {}, {}, {}};
  auto const& git = out.git;
  auto const bare = git.run({"rev-parse", "--is-bare-repository"});
  if (!bare.good)
    return unfit(name, "cannot be read by git: " + std::string{head(as_utf8(bare.complaint), kReasonBytes)});
  if (bare.out == "true\n") return unfit(name, "is bare: work trees need one with files; name a clone of it");
  auto const top = git.text({"rev-parse", "--show-toplevel"}).value_or("");
  if (top.empty() || fs::weakly_canonical(top, trouble) != fs::weakly_canonical(directory, trouble))
    return unfit(name, "has its files elsewhere (" + top + "); name its top directory");
  out.common = git.text({"rev-parse", "--path-format=absolute", "--git-common-dir"}).value_or("");
  if (!git.succeeds({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}))
    return unfit(name, "has no commit to start from; make a first one");
  out.default_branch = default_branch_of(git);
  if (out.default_branch.empty())
    return unfit(name, "has no default branch: it is on no branch, and there is neither main nor master");
  out.tip = git.text({"rev-parse", std::string{kBranches} + out.default_branch + "^{commit}"}).value_or("");
  return out;
}

fs::path checkout_of(Git const& git, std::string const& branch) {
  constexpr std::string_view kTree = "worktree ";
  fs::path tree;
  std::error_code trouble;
  for (auto const& line : git.list({"worktree", "list", "--porcelain", "-z"}, '\0')) {
    if (line.starts_with(kTree)) tree = line.substr(kTree.size());
    if (line == "branch " + std::string{kBranches} + branch && fs::exists(tree, trouble)) return tree;
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
      git.run({"worktree", "remove", "--force", tree.native()});
  }
}

void keep_run_head(Git const& git, std::int64_t run, std::string const& head) {
  if (!head.empty()) git.run({"update-ref", "refs/andon/runs/" + std::to_string(run), head});
}

std::string fork_point(Git const& git, std::string const& tip, std::string const& head) {
  return git.text({"merge-base", tip, head}).value_or("");
}

bool contains(Git const& git, std::string const& descendant, std::string const& ancestor) {
  return git.succeeds({"merge-base", "--is-ancestor", ancestor, descendant});
}

}  // namespace andon::runner
