#pragma once

#include "core/model/run.hpp"
#include "service/limits/freeze.hpp"
#include "service/requests.hpp"
#include "service/tasks/edit.hpp"

namespace andon::service {

struct WorkerRequest {
  std::string name;
};
BOOST_DESCRIBE_STRUCT(WorkerRequest, (), (name))
inline constexpr core::Field kWorkerNameField{"name", "Name of the worker", core::required};
inline constexpr std::array kWorkerRequestFields{kWorkerNameField};
constexpr auto const& fields(WorkerRequest const*) { return kWorkerRequestFields; }

struct PutWorkerRequest {
  std::string name;
  std::optional<std::string> role;
  std::optional<std::string> title;
  std::optional<std::string> agent;
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
};
BOOST_DESCRIBE_STRUCT(PutWorkerRequest, (),
                      (name, role, title, agent, model, colour, prompt, prompt_file, memory, tools,
                       conversation, capacity, takes_unassigned, boards, permissions, budget))
inline constexpr std::array kPutWorkerFields{
    kWorkerNameField,
    core::Field{"role", "Tasks for this role are its own"},
    core::Field{"title", "What people read"},
    core::Field{"agent", "Agent profile that runs it"},
    core::Field{"model", "Model the agent is told to use"},
    core::Field{"colour", "One of the twelve hues of the page"},
    core::Field{"prompt", "Role document"},
    core::Field{"prompt_file", "File of the data directory with the role document"},
    core::Field{"memory", "Topic files given to it with every task"},
    core::Field{"tools", "Tools the agent may use"},
    core::Field{"conversation", "fresh, task or worker"},
    core::Field{"capacity", "Most tasks at once"},
    core::Field{"takes_unassigned", "Whether it takes tasks meant for nobody in particular"},
    core::Field{"boards", "Boards it works on; * means all"},
    core::Field{"permissions", "readonly, edit, full or ask"},
    core::Field{"budget", "What it may spend: {run, task, day} of {tokens, usd, time}; {} for no limit"}};
constexpr auto const& fields(PutWorkerRequest const*) { return kPutWorkerFields; }

struct PauseWorkerRequest {
  std::string name;
  std::string reason;
};
BOOST_DESCRIBE_STRUCT(PauseWorkerRequest, (), (name, reason))
inline constexpr std::array kPauseWorkerFields{kWorkerNameField,
                                               core::Field{"reason", "Why, for those who wonder later"}};
constexpr auto const& fields(PauseWorkerRequest const*) { return kPauseWorkerFields; }

struct Workers {
  std::vector<core::Worker> items;
};
BOOST_DESCRIBE_STRUCT(Workers, (), (items))
inline constexpr std::array kWorkersFields{core::Field{"items", "The workers", core::always}};
constexpr auto const& fields(Workers const*) { return kWorkersFields; }

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
BOOST_DESCRIBE_STRUCT(RemovedWorker, (), (name, status))
inline constexpr std::array kRemovedWorkerFields{core::Field{"name", "Name of the worker", core::always},
                                                 core::Field{"status", "removed", core::always}};
constexpr auto const& fields(RemovedWorker const*) { return kRemovedWorkerFields; }
core::Result<RemovedWorker> remove_worker(OperationContext& ctx, WorkerRequest const& request);

/// The input for the lights of workers, read once for all of them.
class Lights {
 public:
  explicit Lights(OperationContext& ctx) : ctx_(ctx), frozen_(frozen_now(ctx)), live_(ctx.tx.live_runs()) {}

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

}  // namespace andon::service
