#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/stage.hpp"
#include "core/tasks/next_step.hpp"
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
void describe(auto& field, DispatchBlocker const*) {
  field(&DispatchBlocker::code, "code",
        "orphan, landing, stage, blocked, question, claimed, dependency, not_before, approval, frozen, wip, "
        "class_wip, "
        "touches, paused, "
        "slots, budget, runner, worker, account, fault, quiet, machine or turn",
        core::always);
  field(&DispatchBlocker::text, "text", "The same in words", core::always);
  field(&DispatchBlocker::remedy, "remedy",
        "What would help: approve, answer, verdict, retry, assign, resume_worker, resume_dispatch, "
        "resume_account, retry_fault, thaw, raise_limit, raise_slots, start_server or land");
  field(&DispatchBlocker::about, "about", "The worker, account or board that the remedy is for");
  field(&DispatchBlocker::task, "task", "The task that must end first");
  field(&DispatchBlocker::ahead, "ahead", "How many tasks the worker takes before it");
}

struct DispatchBlockers {
  core::TaskId id = 0;
  std::string key;
  std::string title;
  std::string status;
  core::Stage stage = core::Stage::backlog;
  bool running = false;
  /// Absent for a task that is done.
  std::optional<core::NextStepOwner> next;
  std::string worker;  ///< who would take it next, or works on it
  /// Empty when it starts at the next look, and when it runs and its agent waits for nobody.
  std::vector<DispatchBlocker> hindrances;
};
void describe(auto& field, DispatchBlockers const*) {
  field(&DispatchBlockers::id, "id", "The task", core::always);
  field(&DispatchBlockers::key, "key", "Its key on a board with a prefix");
  field(&DispatchBlockers::title, "title", "What is to be done", core::always);
  field(&DispatchBlockers::status, "status", "Column it is in", core::always);
  field(&DispatchBlockers::stage, "stage", "What the column means", core::always);
  field(&DispatchBlockers::running, "running", "Whether an agent works on it", core::always);
  field(&DispatchBlockers::next, "next",
        "Who makes its next step: run, queue, timer, task, admission, holder, person, or nobody, which is a "
        "defect of Andon");
  field(&DispatchBlockers::worker, "worker", "Who works on it, or takes it next");
  field(&DispatchBlockers::hindrances, "hindrances", "Everything that keeps it from running", core::always);
}

/// All reasons why no agent works on the task: those of the task first, then the board's, then the workers'.
core::Result<DispatchBlockers> why_not_running(OperationContext& ctx, TaskRequest const& request);

struct WhyTasksRequest {
  std::vector<TaskRef> tasks;
};
void describe(auto& field, WhyTasksRequest const*) {
  field(&WhyTasksRequest::tasks, "tasks", "Tasks by number or key, up to 50", core::required);
}

struct DispatchBlockersOfTasks {
  std::vector<DispatchBlockers> items;
};
void describe(auto& field, DispatchBlockersOfTasks const*) {
  field(&DispatchBlockersOfTasks::items, "items", "The reasons of each task that exists", core::always);
}

/// Like `why_not_running`, for several tasks, such as those in sight on a page. Leaves out tasks that do not
/// exist.
core::Result<DispatchBlockersOfTasks> why_tasks(OperationContext& ctx, WhyTasksRequest const& request);

}  // namespace andon::service
