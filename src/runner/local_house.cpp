#include "runner/local_house.hpp"

#include <algorithm>

#include "os/system_error.hpp"
#include "runner/assignment.hpp"
#include "runner/finish_request.hpp"
#include "runner/run_files.hpp"
#include "runner/sweep.hpp"
#include "runner/workspace.hpp"

namespace andon::runner {
namespace {

/// Time is kept by the supervising process, money also by agents that know how.
void give_allowance(LaunchRequest& request, core::Allowance const& allowance) {
  if (allowance.time > core::Duration{})
    request.limits.total = std::min(request.limits.total, allowance.time);
  if (allowance.usd > 0) request.settings["budget_usd"] = core::plain_money(allowance.usd);
}

/// What a run whose supervising process was killed has left in its work tree; it may have reported before.
std::optional<service::FinishRunRequest> lost_work(RunFiles const& files) {
  if (!std::filesystem::exists(files.spec())) return std::nullopt;
  auto const spec = read_spec(files);
  if (!spec || !spec->workspace) return std::nullopt;
  service::FinishRunRequest out;
  out.id = spec->run;
  out.stopped_because = "lost";
  auto const work = record_work(*spec->workspace, spec->run);
  auto const evidence = collect_evidence(spec->cwd, work.base);
  out.branch = evidence.branch;
  out.commits = evidence.commits;
  out.files_changed = evidence.files_changed;
  out.base = work.base;
  out.head = work.head;
  return out;
}

}  // namespace

LocalHouse::LocalHouse(os::DataDirectory data, Launcher launcher, std::function<std::string()> url)
    : data_(std::move(data)), launcher_(std::move(launcher)), book_(data_.agents), url_(std::move(url)) {}

core::Result<LaunchRequest> LocalHouse::request_for(service::RunBrief const& brief,
                                                    std::string const& token) {
  book_.reload();
  auto const* profile = book_.find(brief.worker.agent);
  if (!profile)
    return core::refuse(core::Code::kInvalidInput, book_.why_missing(brief.worker.agent), "agent");
  ANDON_TRY(auto assignment, assignment_of(brief, *profile, data_));
  LaunchRequest request;
  request.run = brief.run;
  request.profile = *profile;
  request.token = token;
  request.url = url_();
  request.prompt = std::move(assignment.prompt);
  request.cwd = std::move(assignment.cwd);
  request.workspace = std::move(assignment.workspace);
  request.session = std::move(assignment.session);
  request.used_before = assignment.used_before;
  give_allowance(request, brief.allowance);
  auto const& board = brief.board;
  request.limits.silence = board.stale_after;
  for (auto const& name : brief.checks)
    if (auto const check = board.checks.find(name); check != board.checks.end())
      request.checks.push_back({name, check->second});
  request.check_limit = board.check_timeout;
  return request;
}

core::Result<os::ProcessId> LocalHouse::launch(service::RunBrief const& brief, std::string const& token) try {
  ANDON_TRY(auto const request, request_for(brief, token));
  ANDON_TRY(auto launched, launcher_.launch(request));
  children_[brief.run.id] = std::move(launched.child);
  return launched.supervisor;
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kInternalError, error.what());
}

std::optional<os::ProcessId> LocalHouse::supervisor_of(core::RunId run) {
  return read_process(RunFiles{launcher_.run_directory(run)}.supervisor());
}

bool LocalHouse::was_prepared(core::RunId run) {
  return std::filesystem::exists(launcher_.run_directory(run));
}

bool LocalHouse::clear(core::RunId run) {
  if (was_prepared(run) && !sweep_run(launcher_.run_directory(run)).is_empty) return false;
  if (auto const child = children_.find(run); child != children_.end()) {
    os::reap(child->second.pid);
    children_.erase(child);
  }
  return true;
}

std::optional<service::FinishRunRequest> LocalHouse::ending_of(core::RunId run) {
  RunFiles const files{launcher_.run_directory(run)};
  if (auto const record = read_end(files)) return finish_request(*record);
  return lost_work(files);
}

}  // namespace andon::runner
