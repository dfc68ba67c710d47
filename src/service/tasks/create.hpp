#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/task.hpp"
#include "service/operation_context.hpp"
#include "service/reference.hpp"

namespace andon::service {

/// A priority as callers write it: its name, or its place from the top.
struct PriorityName {
  std::string text;
  bool operator==(PriorityName const&) const = default;
};

}  // namespace andon::service

namespace andon::reflect {

template <>
struct TextForm<service::PriorityName> {
  static constexpr std::string_view kName = "priority", kForm = "a priority's name or its place from the top";
  static constexpr bool kAcceptsInteger = true;
  static std::string const& write(service::PriorityName const& value) { return value.text; }
  static bool read(std::string_view text, service::PriorityName& out) {
    out.text = text;
    return true;
  }
};

}  // namespace andon::reflect

namespace andon::service {

struct CreateTaskRequest {
  std::string title;
  std::string body;
  std::string board;
  std::string status;
  std::optional<PriorityName> priority;
  std::string assignee;
  std::string role;
  std::vector<std::string> tags;
  std::optional<core::Date> due;
  std::string estimate;
  std::optional<TaskRef> parent;
  std::vector<TaskRef> depends_on;
  std::string class_;
  std::vector<std::string> touches;
  std::vector<core::NextTask> next_tasks;
  std::vector<std::string> checks;
  core::ReviewRule review = core::ReviewRule::inherit;
  std::optional<int> max_attempts;
  std::optional<core::Instant> not_before;
  bool autocomplete = false;
  std::string claim;
};
void describe(auto& field, CreateTaskRequest const*) {
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
  field(&CreateTaskRequest::estimate, "estimate", "Estimate, free text");
  field(&CreateTaskRequest::parent, "parent", "Task it is part of");
  field(&CreateTaskRequest::depends_on, "depends_on", "Tasks that must be done first");
  field(&CreateTaskRequest::class_, "class", "Class of service; the board's default when left out");
  field(&CreateTaskRequest::touches, "touches", "Path globs the work will change");
  field(&CreateTaskRequest::next_tasks, "next_tasks", "Tasks that come into being when it is done");
  field(&CreateTaskRequest::checks, "checks", "Verification commands of the board that must pass");
  field(&CreateTaskRequest::review, "review", "Whether it needs a verdict: required, none or inherit");
  field(&CreateTaskRequest::max_attempts, "max_attempts", "After this many attempts it counts as failed");
  field(&CreateTaskRequest::not_before, "not_before", "Not picked before this time");
  field(&CreateTaskRequest::autocomplete, "autocomplete", "Done when its last sub-task is", core::set_only);
  field(&CreateTaskRequest::claim, "claim", "Claim it for this name at once");
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

core::Result<core::Task> create_task(OperationContext& ctx, CreateTaskRequest const& request);

/// The times of a task in the system it comes from. An unknown time becomes the present one.
struct ImportedTimestamps {
  std::optional<core::Instant> created;
  std::optional<core::Instant> started;
  std::optional<core::Instant> completed;
  std::string blocked;  ///< why it is blocked; empty when it is not
};
core::Result<core::Task> create_past_task(OperationContext& ctx, CreateTaskRequest const& request,
                                          ImportedTimestamps const& past);
/// All of them or none; later ones may not refer to earlier ones, which have no number yet.
core::Result<TaskItems> create_tasks(OperationContext& ctx, CreateTasksRequest const& request);

/// Stores an approved task that a chain or an automation made: in `status`, or in the ready column, or in the
/// backlog stage while that is full or the task must wait.
core::Task add_ready(OperationContext& ctx, core::Board const& board, core::Task task,
                     std::string const& status);

// Rules shared with editing.
core::Result<std::string> check_title(std::string const& title);
core::Result<void> check_body(std::string const& body);
core::Result<std::string> known_priority(core::Board const& board, std::string const& name);
core::Result<std::string> known_class(core::Board const& board, std::string const& name);
core::Result<core::Column const*> known_column(core::Board const& board, std::string const& name);
core::Result<std::vector<std::string>> check_words(std::vector<std::string> words, std::string_view field,
                                                   std::size_t most);
core::Result<void> check_check_names(core::Board const& board, std::vector<std::string> const& names);
/// Resolves dependencies: they exist, are not the task itself, and close no cycle. `self` is 0 for a new
/// task.
core::Result<std::vector<core::TaskId>> check_dependencies(OperationContext& ctx, core::TaskId self,
                                                           std::vector<TaskRef> const& refs);
/// Resolves a parent: it exists, is not below the task, and leaves room above it and its sub-tasks.
core::Result<core::TaskId> check_parent(OperationContext& ctx, core::TaskId self, TaskRef const& ref);
/// The task, its parent, the parent of that and so on; ends after one more than may stand above a task.
std::vector<core::TaskId> tasks_above(OperationContext& ctx, core::TaskId id);
/// The task itself, or its nearest ancestor that may have sub-tasks, so that tasks of the engine are never
/// nested too deep.
core::TaskId parent_with_room(OperationContext& ctx, core::TaskId id);

/// Whether the caller may put a new task of theirs straight into ready.
bool may_approve(OperationContext const& ctx, core::Board const& board);

}  // namespace andon::service
