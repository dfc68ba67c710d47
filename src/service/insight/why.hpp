#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/requests.hpp"

namespace andon::service {

/// One thing that stands between a task and an agent working on it.
struct DispatchBlocker {
  std::string code;
  std::string text;
  std::string remedy;                ///< empty where time or other work is the only one
  std::string about;                 ///< the worker or account that the remedy is for
  std::optional<core::TaskId> task;  ///< the task that must end first
  std::optional<std::int64_t> ahead{};
};
BOOST_DESCRIBE_STRUCT(DispatchBlocker, (), (code, text, remedy, about, task, ahead))
inline constexpr std::array kDispatchBlockerFields{
    core::Field{"code",
                "landing, stage, blocked, question, claimed, dependency, not_before, approval, frozen, wip, "
                "class_wip, "
                "touches, paused, "
                "slots, budget, runner, worker, account or turn",
                core::always},
    core::Field{"text", "The same in words", core::always},
    core::Field{"remedy",
                "What would help: approve, answer, verdict, retry, assign, resume_worker, resume_dispatch, "
                "resume_account, thaw, raise_limit, raise_slots, start_server or land"},
    core::Field{"about", "The worker, account or board that the remedy is for"},
    core::Field{"task", "The task that must end first"},
    core::Field{"ahead", "How many tasks the worker takes before it"}};
constexpr auto const& fields(DispatchBlocker const*) { return kDispatchBlockerFields; }

struct DispatchBlockers {
  core::TaskId id = 0;
  std::string key;
  std::string title;
  std::string status;
  core::Stage stage = core::Stage::backlog;
  bool running = false;
  std::string worker;  ///< who would take it next, or works on it
  /// Empty when it starts at the next look, and when it runs and its agent waits for nobody.
  std::vector<DispatchBlocker> hindrances;
};
BOOST_DESCRIBE_STRUCT(DispatchBlockers, (), (id, key, title, status, stage, running, worker, hindrances))
inline constexpr std::array kDispatchBlockersFields{
    core::Field{"id", "The task", core::always},
    core::Field{"key", "Its key on a board with a prefix"},
    core::Field{"title", "What is to be done", core::always},
    core::Field{"status", "Column it is in", core::always},
    core::Field{"stage", "What the column means", core::always},
    core::Field{"running", "Whether an agent works on it", core::always},
    core::Field{"worker", "Who works on it, or takes it next"},
    core::Field{"hindrances", "Everything that keeps it from running", core::always}};
constexpr auto const& fields(DispatchBlockers const*) { return kDispatchBlockersFields; }

/// All reasons why no agent works on the task: those of the task first, then the board's, then the workers'.
core::Result<DispatchBlockers> why_not_running(OperationContext& ctx, TaskRequest const& request);

struct WhyTasksRequest {
  std::vector<TaskRef> tasks;
};
BOOST_DESCRIBE_STRUCT(WhyTasksRequest, (), (tasks))
inline constexpr std::array kWhyTasksFields{
    core::Field{"tasks", "Tasks by number or key, up to 50", core::required}};
constexpr auto const& fields(WhyTasksRequest const*) { return kWhyTasksFields; }

struct DispatchBlockersOfTasks {
  std::vector<DispatchBlockers> items;
};
BOOST_DESCRIBE_STRUCT(DispatchBlockersOfTasks, (), (items))
inline constexpr std::array kDispatchBlockersOfTasksFields{
    core::Field{"items", "The reasons of each task that exists", core::always}};
constexpr auto const& fields(DispatchBlockersOfTasks const*) { return kDispatchBlockersOfTasksFields; }

/// Like `why_not_running`, for several tasks, such as those in sight on a page. Leaves out tasks that do not
/// exist.
core::Result<DispatchBlockersOfTasks> why_tasks(OperationContext& ctx, WhyTasksRequest const& request);

}  // namespace andon::service
