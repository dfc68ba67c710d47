#pragma once

#include "core/model/run.hpp"
#include "service/limits/freeze.hpp"
#include "service/requests.hpp"

namespace andon::service {

inline constexpr core::Field kWorkerNameField{"name", "Name of the worker", core::required};

struct WorkerRequest {
  std::string name;
};
void describe(auto& field, WorkerRequest const*) { field(&WorkerRequest::name, kWorkerNameField); }

struct PutWorkerRequest {
  std::string name;
  std::optional<std::string> role;
  std::optional<std::string> title;
  std::optional<std::string> agent;
  std::optional<std::vector<std::string>> agents;
  std::optional<std::string> model;
  std::optional<std::string> colour;
  std::optional<std::string> prompt;
  std::optional<std::string> prompt_file;
  std::optional<std::vector<std::string>> memory;
  std::optional<std::vector<std::string>> tools;
  std::optional<core::Conversation> conversation;
  std::optional<int> capacity;
  std::optional<bool> takes_unassigned;
  std::optional<std::vector<std::string>> boards;
  std::optional<std::string> permissions;
  std::optional<core::Budget> budget;
  std::optional<core::ResourceLimits> limits;
  std::optional<core::QuietHours> quiet;
  std::optional<core::PlanRule> plan;
};
void describe(auto& field, PutWorkerRequest const*) {
  field(&PutWorkerRequest::name, kWorkerNameField);
  field(&PutWorkerRequest::role, "role", "Tasks for this role are its own");
  field(&PutWorkerRequest::title, "title", "What people read");
  field(&PutWorkerRequest::agent, "agent", "Agent profile that runs it");
  field(&PutWorkerRequest::agents, "agents",
        "Agent profiles in the order of preference, such as claude@work, claude@home, codex; [] for `agent` "
        "alone");
  field(&PutWorkerRequest::model, "model", "Model the agent is told to use");
  field(&PutWorkerRequest::colour, "colour", "One of the twelve hues of the page");
  field(&PutWorkerRequest::prompt, "prompt", "Role document");
  field(&PutWorkerRequest::prompt_file, "prompt_file", "File of the data directory with the role document");
  field(&PutWorkerRequest::memory, "memory", "Topic files given to it with every task");
  field(&PutWorkerRequest::tools, "tools", "Tools the agent may use");
  field(&PutWorkerRequest::conversation, "conversation", "fresh, task or worker");
  field(&PutWorkerRequest::capacity, "capacity", "Most tasks at once");
  field(&PutWorkerRequest::takes_unassigned, "takes_unassigned",
        "Whether it takes tasks meant for nobody in particular");
  field(&PutWorkerRequest::boards, "boards", "Boards it works on; * means all");
  field(&PutWorkerRequest::permissions, "permissions", "readonly, edit, full or ask");
  field(&PutWorkerRequest::budget, "budget",
        "What it may spend: {run, task, day} of {tokens, usd, time}; {} for no limit");
  field(&PutWorkerRequest::limits, "limits",
        "What each of its runs may use: {memory, processes, cpu_weight, disk}; {} for no limit");
  field(&PutWorkerRequest::quiet, "quiet",
        "Hours in which it starts nothing: {from, to, tz}; the same time twice for none");
  field(&PutWorkerRequest::plan, "plan",
        "required or none: whether a person must accept a plan before each of its tasks");
}

struct PauseWorkerRequest {
  std::string name;
  std::string reason;
};
void describe(auto& field, PauseWorkerRequest const*) {
  field(&PauseWorkerRequest::name, kWorkerNameField);
  field(&PauseWorkerRequest::reason, "reason", "Why, for those who wonder later");
}

struct Workers {
  std::vector<core::Worker> items;
};
void describe(auto& field, Workers const*) { field(&Workers::items, "items", "The workers", core::always); }

core::Result<Workers> list_workers(OperationContext& ctx, NoRequest const&);
core::Result<core::Worker> get_worker(OperationContext& ctx, WorkerRequest const& request);
core::Result<core::Worker> add_worker(OperationContext& ctx, PutWorkerRequest const& request);
core::Result<core::Worker> edit_worker(OperationContext& ctx, PutWorkerRequest const& request);
/// The worker as it would be after that change; nothing is written.
core::Result<core::Worker> with_settings(OperationContext& ctx, core::Worker worker,
                                         PutWorkerRequest const& request);
core::Result<core::Worker> pause_worker(OperationContext& ctx, PauseWorkerRequest const& request);
/// The engine's own pause, in whatever words of a program its reason is. A worker that is gone stays so.
void pause_for_trouble(OperationContext& ctx, std::string const& name, std::string const& reason);
core::Result<core::Worker> resume_worker(OperationContext& ctx, WorkerRequest const& request);

struct RemovedWorker {
  std::string name;
  std::string status;
};
void describe(auto& field, RemovedWorker const*) {
  field(&RemovedWorker::name, "name", "Name of the worker", core::always);
  field(&RemovedWorker::status, "status", "removed", core::always);
}
core::Result<RemovedWorker> remove_worker(OperationContext& ctx, WorkerRequest const& request);

/// The light of the worker that does the live run: working, or how long the run has shown no progress.
core::WorkerStatus light_of_run(OperationContext& ctx, core::Run const& run);

/// The input for the lights of workers, read once for all of them.
class Lights {
 public:
  explicit Lights(OperationContext& ctx);

  /// The worker with its light, its task and the length of its queue.
  core::Worker on(core::Worker worker) const;

 private:
  OperationContext& ctx_;
  Frozen frozen_;
  std::vector<core::Run> live_;
};
inline core::Worker with_light(OperationContext& ctx, core::Worker worker) {
  return Lights{ctx}.on(std::move(worker));
}
/// All workers with their lights, by name.
std::vector<core::Worker> lit_workers(OperationContext& ctx);
/// Nothing where no worker has the name.
std::optional<core::Worker> lit_worker(OperationContext& ctx, std::string_view name);

}  // namespace andon::service
