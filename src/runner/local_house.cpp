#include "runner/local_house.hpp"

#include "os/file.hpp"
#include "os/system_error.hpp"
#include "runner/finish_request.hpp"
#include "runner/run_files.hpp"
#include "runner/sweep.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLongestDocument = 1U << 20U;

PromptParts prompt_parts(service::RunBrief const& brief, std::filesystem::path const& root) {
  PromptParts parts;
  parts.task = brief.task;
  parts.board = brief.board;
  parts.worker = brief.worker;
  parts.role_document = brief.worker.prompt;
  auto const read = [&](std::string const& name) {
    return os::read_file_if_there(root / name, kLongestDocument).value_or("");
  };
  if (!brief.worker.prompt_file.empty()) parts.role_document = read(brief.worker.prompt_file);
  for (auto const& topic : brief.worker.memory) parts.memory.push_back({topic, read("memory/" + topic)});
  for (auto const& task : brief.context)
    parts.earlier.push_back(
        {task.key.empty() ? "#" + std::to_string(task.id) : task.key, task.title, task.result});
  parts.feedback = brief.feedback;
  return parts;
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
  request.cwd = brief.board.repo;
  request.prompt = prompt_parts(brief, data_.root);
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
  auto const record = read_end(RunFiles{launcher_.run_directory(run)});
  if (!record) return std::nullopt;
  return finish_request(*record);
}

}  // namespace andon::runner
