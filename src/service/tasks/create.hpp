#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/reference.hpp"
#include "service/tasks/kernel/new_task.hpp"
#include "service/tasks/priority_name.hpp"

namespace andon::service {

struct CreateTaskRequest : core::PlainTexts {
  std::string title;
  std::string body;
  std::string board;
  std::string status;
  std::optional<PriorityName> priority;
  std::string assignee;
  std::string role;
  std::vector<std::string> tags;
  std::optional<core::Date> due;
  std::optional<TaskRef> parent;
  std::vector<TaskRef> depends_on;
  std::string class_;
  std::vector<std::string> touches;
  std::vector<core::NextTask> next_tasks;
  std::vector<std::string> checks;
  core::ReviewRule review = core::ReviewRule::inherit;
  std::optional<core::PlanRule> plan;
  std::optional<int> max_attempts;
  std::optional<core::Instant> not_before;
  bool autocomplete = false;
  std::string claim;
  std::vector<TaskRef> not_a_copy;
};
void describe(auto& field, CreateTaskRequest const* extended) {
  field(&CreateTaskRequest::title, "title", "One line that says what shall be done", core::required);
  field(&CreateTaskRequest::body, "body", "The brief, in Markdown");
  field(&CreateTaskRequest::board, "board", "Board; the parent's, else the first one");
  field(&CreateTaskRequest::status, "status", "Column; the board's default when left out");
  field(&CreateTaskRequest::priority, "priority",
        "Priority by name or place from the top; the board's default when left out");
  field(&CreateTaskRequest::assignee, "assignee", "Worker or person who shall do it");
  field(&CreateTaskRequest::role, "role", "Any worker of this role may take it");
  field(&CreateTaskRequest::tags, "tags", "Tags");
  field(&CreateTaskRequest::due, "due", "Due date");
  describe(field, static_cast<core::PlainTexts const*>(extended));
  field(&CreateTaskRequest::parent, "parent", "Task it is part of");
  field(&CreateTaskRequest::depends_on, "depends_on", "Tasks that must be done first");
  field(&CreateTaskRequest::class_, "class", "Class of service; the board's default when left out");
  field(&CreateTaskRequest::touches, "touches", "Path globs the work will change");
  field(&CreateTaskRequest::next_tasks, "next_tasks", "Tasks that come into being when it is done");
  field(&CreateTaskRequest::checks, "checks", "Verification commands of the board that must pass");
  field(&CreateTaskRequest::review, "review", "Whether it needs a verdict: required, none or inherit");
  field(&CreateTaskRequest::plan, "plan",
        "required or none: whether a person must accept a plan before the work");
  field(&CreateTaskRequest::max_attempts, "max_attempts", "After this many attempts it counts as failed");
  field(&CreateTaskRequest::not_before, "not_before", "Not picked before this time");
  field(&CreateTaskRequest::autocomplete, "autocomplete", "Done when its last sub-task is", core::set_only);
  field(&CreateTaskRequest::claim, "claim", "Claim it for this name at once");
  field(&CreateTaskRequest::not_a_copy, "not_a_copy", "Tasks like it of which it is no copy, up to 20");
}

struct CreateTasksRequest {
  std::vector<CreateTaskRequest> items;
};
void describe(auto& field, CreateTasksRequest const*) {
  field(&CreateTasksRequest::items, "items", "The tasks, all or none", core::required);
}

struct TaskItems {
  std::vector<core::Task> items;
};
void describe(auto& field, TaskItems const*) { field(&TaskItems::items, "items", "The tasks", core::always); }

/// An agent that asks for what a standing task asks for gets that task, and is refused a near copy as
/// `LIKELY_COPY`. A person is warned.
core::Result<core::Task> create_task(OperationContext& ctx, CreateTaskRequest const& request);

/// Like `create_task`, without a look at standing tasks.
core::Result<core::Task> create_past_task(OperationContext& ctx, CreateTaskRequest const& request,
                                          ImportedTimestamps const& past);
/// All of them or none; later ones may not refer to earlier ones, which have no number yet.
core::Result<TaskItems> create_tasks(OperationContext& ctx, CreateTasksRequest const& request);

}  // namespace andon::service
