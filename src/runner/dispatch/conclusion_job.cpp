#include "runner/dispatch/conclusion_job.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "os/processes/event.hpp"
#include "os/processes/log.hpp"
#include "runner/clones/published_work.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/finish_request.hpp"
#include "runner/supervision/sweep.hpp"
#include "runner/worktrees/own_repository.hpp"
#include "runner/worktrees/put_back.hpp"
#include "runner/worktrees/run_start.hpp"
#include "runner/worktrees/run_work.hpp"
#include "runner/worktrees/workspace.hpp"

namespace andon::runner {
namespace {

/// The end of a run whose supervising process was killed: the work in its work tree. The agent may have
/// reported before.
service::FinishRunRequest lost_work(KnownRun const& run, os::DataDirectory const& data, GitUse const& use) {
  service::FinishRunRequest out;
  out.stopped_because = core::StopReason::lost;
  if (!run.guard.place || run.repo.empty()) return out;
  auto const& place = *run.guard.place;
  WorkspaceSpec const workspace{.repo = repository_directory(run.repo, data),
                                .directory = place.directory,
                                .origin = run.repo,
                                .data = data.root,
                                .filters = run.filters,
                                .board_branch = run.branch,
                                .branch_prefix = run.branch_prefix};
  auto of_tree = use;
  // A linked tree of an earlier version borrows nothing from the clone, and reads what its repository reads.
  if (is_own_repository(place))
    of_tree.lender = use_for(workspace).lender;
  else
    of_tree.records = data.repositories();
  auto const noted = start_of(data.repositories(), run.id);
  auto const trouble = run.plans ? put_tree_back(place, noted, of_tree, {}) : std::string{};
  refresh_before_record(workspace, use);
  Settling settling{};
  settling.filters = run.filters;
  auto work = record_work(workspace, place, run.id, noted, of_tree, settling);
  forget_start(data.repositories(), run.id);
  auto const unpublished = publish_work(workspace, work, use);
  out.branch = std::move(work.branch);
  out.commits = std::move(work.commits);
  out.files_changed = work.files_changed;
  out.left_out = std::move(work.left_out);
  out.left_out_count = work.left_out_count;
  out.remarks = std::move(work.remarks);
  out.base = std::move(work.base);
  out.head = std::move(work.head);
  out.diff_size = work.diff_size;
  if (work.trouble.empty()) work.trouble = trouble;
  if (work.trouble.empty()) work.trouble = unpublished;
  if (work.trouble.empty()) return out;
  out.stopped_because = core::StopReason::workspace;
  out.result = std::move(work.trouble);
  return out;
}

Conclusion concluded(std::filesystem::path const& run_dir, KnownRun const& run, os::DataDirectory const& data,
                     GitUse const& use) {
  auto const result = sweep_run({.run_dir = run_dir,
                                 .run = run.id,
                                 .supervisor = run.supervisor,
                                 .input = run.guard.input,
                                 .cgroups = run.guard.cgroups,
                                 .with_adopted = true});
  if (!result.is_empty) return {false, {}};
  auto const record = sealed_end(RunFiles{run_dir}, run.id, run.guard.seal);
  return {true, record ? finish_request(*record) : lost_work(run, data, use)};
}

}  // namespace

struct ConclusionJob::State {
  std::filesystem::path run_dir;
  KnownRun run;
  os::DataDirectory data;
  os::Event stop{};
  std::mutex mutex{};
  std::condition_variable done{};
  std::optional<Conclusion> conclusion{};
};

ConclusionJob::ConclusionJob(std::filesystem::path run_dir, KnownRun run, os::DataDirectory data)
    : state_(std::make_shared<State>(std::move(run_dir), std::move(run), std::move(data))) {
  std::thread([state = state_] {
    Conclusion conclusion;
    try {
      conclusion = concluded(state->run_dir, state->run, state->data, {.stop = state->stop.handle()});
    } catch (std::exception const& error) {
      os::log(os::Level::error, "the end of run " + std::to_string(state->run.id) + ": " + error.what());
    }
    std::scoped_lock const lock{state->mutex};
    state->conclusion = std::move(conclusion);
    state->done.notify_all();
  }).detach();
}

ConclusionJob::~ConclusionJob() {
  if (state_) state_->stop.set();
}

std::optional<Conclusion> ConclusionJob::result(std::chrono::milliseconds patience) const {
  std::unique_lock lock{state_->mutex};
  state_->done.wait_for(lock, patience, [this] { return state_->conclusion.has_value(); });
  return state_->conclusion;
}

}  // namespace andon::runner
