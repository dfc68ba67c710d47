#include "runner/local_house.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <unistd.h>

#include "os/file.hpp"
#include "os/system_error.hpp"
#include "runner/finish_request.hpp"
#include "runner/run_files.hpp"
#include "runner/sweep.hpp"
#include "runner/work_folder.hpp"
#include "runner/workspace.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLongestDocument = 1U << 20U;

/// A document beneath one folder of the data directory. Whoever may edit a worker names it, so no name leads
/// out of that folder: not to the administrator's token, and not through a link.
std::string document(std::filesystem::path const& folder, std::string const& name) {
  auto const file = os::open_beneath(os::open_directory(folder), name, O_RDONLY | O_NONBLOCK);
  std::string text;
  std::array<char, 8192> part{};
  while (text.size() < kLongestDocument) {
    auto const n = ::read(file.get(), part.data(), part.size());
    if (n <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  return text;
}

PromptParts prompt_parts(service::RunBrief const& brief, std::filesystem::path const& root) {
  constexpr std::string_view kRoles = "roles/";
  PromptParts parts;
  parts.task = brief.task;
  parts.board = brief.board;
  parts.worker = brief.worker;
  parts.role_document = brief.worker.prompt;
  if (std::string name = brief.worker.prompt_file; !name.empty()) {
    if (name.starts_with(kRoles)) name.erase(0, kRoles.size());
    parts.role_document = document(root / "roles", name);
  }
  for (auto const& topic : brief.worker.memory)
    parts.memory.push_back({topic, document(root / "memory", topic)});
  for (auto const& task : brief.context)
    parts.earlier.push_back(
        {task.key.empty() ? "#" + std::to_string(task.id) : task.key, task.title, task.result});
  parts.feedback = brief.feedback;
  return parts;
}

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
    return core::refuse(core::Code::kInvalidInput,
                        "worker \"" + brief.worker.name + "\" names the agent profile \"" +
                            brief.worker.agent + "\", which does not exist; see: andon agents list",
                        "agent");
  LaunchRequest request;
  request.run = brief.run;
  request.profile = *profile;
  request.token = token;
  request.url = url_();
  request.prompt = prompt_parts(brief, data_.root);
  give_place(request, brief);
  give_allowance(request, brief.allowance);
  return request;
}

void LocalHouse::give_place(LaunchRequest& request, service::RunBrief const& brief) const {
  auto const& board = brief.board;
  request.cwd = board.repo;
  if (board.worktree && !board.repo.empty()) {
    auto const tree = work_tree_of(data_, board.name, brief.task);
    request.workspace = WorkspaceSpec{board.repo, tree};
    request.prompt.work_tree = true;
  }
  for (auto const& name : brief.checks)
    if (auto const check = board.checks.find(name); check != board.checks.end())
      request.checks.push_back({name, check->second});
  request.check_limit = board.check_timeout;
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
