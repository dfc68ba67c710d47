#pragma once

#include "service/reference.hpp"
#include "service/tasks/kernel/new_task.hpp"

namespace andon::service {

struct CopyTaskRequest {
  TaskRef id;
  std::string title;
  std::string to_board;
  std::string status;
};
void describe(auto& field, CopyTaskRequest const*) {
  field(&CopyTaskRequest::id, "id", "Task by number or key", core::required);
  field(&CopyTaskRequest::title, "title", "Title of the copy; the title of the task when left out");
  field(&CopyTaskRequest::to_board, "to_board", "Board of the copy; the board of the task when left out");
  field(&CopyTaskRequest::status, "status", "Column of the copy; the board's default when left out");
}

/// Creates a task that asks for the work that another one asks for. The copy has the brief and every
/// attribute that a new task may have. It has no claim, result, sub-task, dependency, note or time of the
/// other task. A copy on another board has no parent.
core::Result<core::Task> copy_task(OperationContext& ctx, CopyTaskRequest const& request);

}  // namespace andon::service
