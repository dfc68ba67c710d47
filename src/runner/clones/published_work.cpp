#include "runner/clones/published_work.hpp"

#include "core/runs/work_branch.hpp"
#include "runner/clones/clone.hpp"

namespace andon::runner {

/// The lease of the run is renewed meanwhile, but nothing else of it is done.
constexpr core::Duration kLongestPush{300'000};

/// The branch of the remote for a run. An agent chooses its own branch, and must not choose one of the
/// remote: only branches of its task count.
std::string published_branch(WorkspaceSpec const& workspace, std::string const& branch) {
  auto const name = std::filesystem::path{workspace.directory}.filename().native();
  bool const is_of_task = branch.starts_with(core::kWorkBranches) &&
                          core::task_of_work(std::string_view{branch}.substr(core::kWorkBranches.size())) ==
                              core::task_of_work(name);
  return is_of_task ? branch : std::string{core::kWorkBranches} + name;
}

std::string publish_work(WorkspaceSpec const& workspace, RunWork const& work, GitUse const& use) {
  bool const has_work = !work.branch.empty() && !work.base.empty() && work.head != work.base;
  if (workspace.url.empty() || !has_work) return {};
  Clone const clone{workspace.url, os::data_directory(workspace.data), use, {.time = kLongestPush}};
  return clone.publish(published_branch(workspace, work.branch), work.head).value_or("");
}

}  // namespace andon::runner
