#include "runner/dispatch/local_run_host.hpp"

#include <algorithm>
#include <csignal>

#include "os/files/file.hpp"
#include "os/processes/adopted_children.hpp"
#include "os/processes/cgroup.hpp"
#include "os/processes/log.hpp"
#include "os/system_error.hpp"
#include "service/tasks/attachments.hpp"

namespace andon::runner {
namespace {

/// Applies the budget. The supervising process enforces the time, and the agent the money if its profile can.
void give_allowance(LaunchRequest& request, core::Allowance const& allowance) {
  if (allowance.time > core::Duration{})
    request.limits.total = std::min(request.limits.total, allowance.time);
  if (allowance.usd > 0) request.settings["budget_usd"] = core::plain_money(allowance.usd);
}

/// The longest wait for a conclusion in one call; most finish within it.
constexpr std::chrono::milliseconds kConnectPatience{40};

}  // namespace

LocalRunHost::LocalRunHost(OperationClient& client, os::DataDirectory data, Launcher launcher,
                           std::function<std::string()> url, DocumentsAt documents)
    : client_(client),
      data_(std::move(data)),
      launcher_(std::move(launcher)),
      book_(data_.agents),
      url_(std::move(url)),
      documents_(documents) {}

core::Result<Assignment> LocalRunHost::assignment_for(service::RunBrief const& brief,
                                                      Profile const& profile) {
  if (documents_ == DocumentsAt::own_directory) return assignment_of(brief, profile, data_);
  ANDON_TRY(auto documents, (client_.call<&service::run_documents, service::RunDocuments>({brief.run.id})));
  return assignment_of(brief, profile, data_, std::move(documents));
}

/// The name of a model means something only to the program of the worker's first agent.
void LocalRunHost::keep_model(Profile const& profile, core::Worker& worker) const {
  auto const* first = worker.agents.empty() ? nullptr : book_.find(worker.agents.front());
  bool const is_other_program =
      first && !first->argv.empty() && !profile.argv.empty() && first->argv.front() != profile.argv.front();
  if (is_other_program) worker.model.clear();
}

core::Result<LaunchRequest> LocalRunHost::request_for(service::RunBrief const& brief,
                                                      std::string const& token) {
  book_.reload();
  auto const* profile = book_.find(brief.worker.agent);
  if (!profile)
    return core::refuse(core::Code::kInvalidInput, book_.why_missing(brief.worker.agent), "agent");
  ANDON_TRY(auto assignment, assignment_for(brief, *profile));
  LaunchRequest request;
  request.run = brief.run;
  keep_model(*profile, assignment.prompt.worker);
  request.profile = *profile;
  request.token = token;
  request.url = url_();
  request.prompt = std::move(assignment.prompt);
  request.prompt.attachments = RunFiles{launcher_.run_directory(brief.run.id)}.attachments();
  request.cwd = std::move(assignment.cwd);
  request.continues_in_run = assignment.continues_in_run;
  request.workspace = std::move(assignment.workspace);
  request.session = std::move(assignment.session);
  request.used_before = assignment.used_before;
  give_allowance(request, brief.allowance);
  auto const& board = brief.board;
  if (request.workspace) request.setup = tree_setup_of(board, data_);
  request.limits.silence = board.stale_after;
  if (documents_ == DocumentsAt::server) request.limits.wake_grace = {};
  for (auto const& name : brief.run.plans ? std::vector<std::string>{} : brief.checks)
    if (auto const check = board.checks.find(name); check != board.checks.end())
      request.checks.push_back({name, check->second});
  request.check_limit = board.check_timeout;
  request.board_env = board.env;
  request.resources = core::narrower(board.limits, brief.worker.limits);
  return request;
}

core::Result<Prepared> LocalRunHost::launch(service::RunBrief const& brief, std::string const& token) try {
  ANDON_TRY(auto const request, request_for(brief, token));
  ANDON_CHECK(copy_attachments(brief));
  ANDON_TRY(auto launched, launcher_.launch(request));
  children_[brief.run.id] = {std::move(launched.child), std::move(launched.key)};
  auto const cgroups = os::delegated_cgroup();
  return Prepared{launched.supervisor, launched.input, cgroups ? cgroups->native() : std::string{},
                  launched.cwd};
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kInternalError, error.what());
}

core::Result<void> LocalRunHost::copy_attachments(service::RunBrief const& brief) {
  RunFiles const files{launcher_.run_directory(brief.run.id)};
  if (!brief.task.attachments.empty()) os::make_private_directory(files.attachments());
  for (auto const& attachment : brief.task.attachments) {
    auto const file = client_.call<&service::get_attachment, service::AttachmentContent>(
        {{std::to_string(brief.task.id)}, attachment.name});
    if (!file) return std::unexpected(file.error());
    os::write_passing_file(files.attachments() / file->attachment.name, file->content);
  }
  return {};
}

void LocalRunHost::release(core::RunId run, std::string const& key) {
  auto& waiting = children_.at(run);
  try {
    os::write_all(waiting.key, key, "the pipe of a supervising process");
  } catch (os::SystemError const& error) {
    os::log(os::Level::warning, error.what());  // the process is gone; the run is settled as lost
  }
  waiting.key.reset();
}

void LocalRunHost::withdraw(core::RunId run) {
  auto const found = children_.find(run);
  if (found == children_.end()) return;
  ::kill(found->second.child.pid, SIGKILL);
  os::reap(found->second.child.pid);
  children_.erase(found);
}

bool LocalRunHost::was_prepared(core::RunId run) {
  return std::filesystem::exists(RunFiles{launcher_.run_directory(run)}.spec());
}

std::optional<Conclusion> LocalRunHost::conclude(KnownRun const& run) {
  auto const found = jobs_.try_emplace(run.id, launcher_.run_directory(run.id), run, data_).first;
  auto conclusion = found->second.result(kConnectPatience);
  if (!conclusion) return std::nullopt;
  jobs_.erase(found);
  if (conclusion->is_clear) try {
      forget_spec(RunFiles{launcher_.run_directory(run.id)});
    } catch (os::SystemError const& error) {
      os::log(os::Level::warning, error.what());
    }
  if (auto const child = children_.find(run.id); conclusion->is_clear && child != children_.end()) {
    os::reap(child->second.child.pid);
    children_.erase(child);
  }
  return conclusion;
}

void LocalRunHost::let_go(core::RunId run) {
  auto const found = children_.find(run);
  if (found == children_.end()) return;
  os::disown(found->second.child.pid);
  children_.erase(found);
}

}  // namespace andon::runner
