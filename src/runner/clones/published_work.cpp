#include "runner/clones/published_work.hpp"

#include "os/processes/log.hpp"
#include "runner/clones/clone.hpp"
#include "runner/worktrees/workspace.hpp"

namespace andon::runner {

namespace {

/// The lease of the run is renewed meanwhile, but nothing else of it is done.
constexpr core::Duration kLongestTransfer{300'000};

Clone clone_for(WorkspaceSpec const& workspace, GitUse const& use) {
  return {workspace.origin,
          os::data_directory(workspace.data),
          use,
          {.time = kLongestTransfer},
          workspace.board_branch};
}

}  // namespace

void refresh_before_record(WorkspaceSpec const& workspace, GitUse const& use) {
  auto const clone = clone_for(workspace, use);
  if (clone.is_remote() && clone.exists()) return;
  if (auto const done = clone.refresh(); !done) os::log(os::Level::warning, done.error().message);
}

std::string publish_work(WorkspaceSpec const& workspace, RunWork const& work, GitUse const& use) {
  if (!work.may_leave) return {};  // a person is told why
  bool const has_work = !work.branch.empty() && !work.base.empty() && work.head != work.base;
  if (!has_work) return {};
  return clone_for(workspace, use)
      .publish(branch_of_task(workspace.directory, work.branch, workspace.branch_prefix), work.head)
      .value_or("");
}

}  // namespace andon::runner
