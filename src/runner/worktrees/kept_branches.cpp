#include "runner/worktrees/kept_branches.hpp"

#include <algorithm>

#include "core/runs/work_branch.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostBranches = 50;
constexpr char kMostRefs[] = "--count=200";

constexpr std::string_view kFetchedBranches = "refs/remotes/origin/";

/// The name of a branch of the clone or of its origin. The clone's own are of tasks and of boards.
std::string name_of_branch(std::string const& ref) {
  constexpr std::string_view kOwn = "refs/heads/";
  return ref.substr(std::min(ref.starts_with(kOwn) ? kOwn.size() : kFetchedBranches.size(), ref.size()));
}

/// Counts commits that the default branch has in no form: a rebased commit counts as landed.
std::int64_t count_unlanded(Git const& git, std::string const& tip, std::string const& head) {
  auto const count =
      git.list({"rev-list", "--count", "--cherry-pick", "--right-only", "--no-merges", tip + "..." + head});
  return std::strtoll(count.at(0).c_str(), nullptr, 10);
}

}  // namespace

std::vector<service::KeptBranch> kept_branches(core::Board const& board, os::DataDirectory const& data,
                                               GitUse const& use) {
  std::vector<service::KeptBranch> out;
  auto const clone = open_clone(repository_directory(board.repo, data), use, board.branch);
  if (!clone) return out;
  for (auto const& line :
       clone->git.list({"for-each-ref", "--sort=-committerdate", kMostRefs, "--no-merged=" + clone->tip,
                        "--format=%(objectname) %(refname)", "refs/heads/",
                        std::string{kFetchedBranches} + board.branch_prefix + "/",
                        std::string{kFetchedBranches} + std::string{core::kUsualPrefix} + "/"})) {
    auto const head = line.substr(0, line.find(' '));
    auto const name = name_of_branch(line.substr(std::min(head.size() + 1, line.size())));
    auto const task = name == clone->default_branch ? core::TaskId{} : core::task_of_branch(name);
    bool const is_known = std::ranges::find(out, name, &service::KeptBranch::branch) != out.end();
    if (task == 0 || is_known || out.size() == kMostBranches) continue;
    auto const commits = count_unlanded(clone->git, clone->tip, head);
    if (commits > 0) out.push_back({board.name, task, as_utf8(name), head, commits});
  }
  return out;
}

}  // namespace andon::runner
