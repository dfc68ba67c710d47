#pragma once

#include <string>
#include <vector>

#include "core/field.hpp"

namespace andon::core {

/// A template of a task that comes into being when its parent completes.
struct NextTask {
  std::string title;
  std::string body;
  std::string role;
  std::string assignee;
  std::string priority;
  std::string class_;
  std::vector<std::string> tags;
  std::string status;
  std::string review;
  std::vector<NextTask> next_tasks;
  bool operator==(NextTask const&) const = default;
};
void describe(auto& field, NextTask const*) {
  field(&NextTask::title, "title", "Title; {{parent.title}} and the like are filled in", required);
  field(&NextTask::body, "body", "Brief; {{parent.result}} and the like are filled in");
  field(&NextTask::role, "role", "Role that may take it");
  field(&NextTask::assignee, "assignee", "Worker or person who shall do it");
  field(&NextTask::priority, "priority", "Priority; the board's default when empty");
  field(&NextTask::class_, "class", "Class of service; the board's default when empty");
  field(&NextTask::tags, "tags", "Tags");
  field(&NextTask::status, "status", "Column; the ready column when empty");
  field(&NextTask::review, "review", "required, none or inherit");
  field(&NextTask::next_tasks, "next_tasks", "What follows after it");
}

}  // namespace andon::core
