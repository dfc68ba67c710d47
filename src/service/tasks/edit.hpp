#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/next_task.hpp"
#include "core/model/plain_field.hpp"
#include "core/model/plan.hpp"
#include "core/model/review_by.hpp"
#include "core/time/time.hpp"
#include "service/requests.hpp"
#include "service/tasks/priority_name.hpp"

namespace andon::core {
struct Change;
}

namespace andon::service {

/// A field of a change request: absent leaves the field as it is, null or an empty text clears it.
template <class T>
using Patch = std::optional<std::optional<T>>;

struct EditTaskRequest : core::PlainChanges {
  TaskRef id;
  std::optional<std::string> title;
  std::optional<std::string> status;
  std::optional<PriorityName> priority;
  std::optional<std::string> assignee;
  std::optional<std::string> role;
  std::optional<std::vector<std::string>> tags;
  std::vector<std::string> add_tags;
  std::vector<std::string> remove_tags;
  Patch<core::Date> due;
  std::optional<std::string> body;
  std::optional<std::string> append_body;
  Patch<TaskRef> parent;
  std::optional<std::vector<TaskRef>> depends_on;
  std::vector<TaskRef> add_deps;
  std::vector<TaskRef> remove_deps;
  std::optional<std::string> class_;
  std::optional<std::vector<std::string>> touches;
  std::optional<std::vector<core::NextTask>> next_tasks;
  std::optional<std::vector<std::string>> checks;
  std::optional<core::ReviewRule> review;
  std::optional<core::PlanRule> plan;
  std::optional<int> max_attempts;
  Patch<core::Instant> not_before;
  std::optional<bool> autocomplete;
  Patch<core::Instant> started;
  Patch<core::Instant> completed;
  std::optional<std::string> block;
  bool unblock = false;
  bool take = false;
  bool release = false;
  bool heed_claims = false;
  std::string claim;
  std::optional<core::Epoch> epoch;
  bool force = false;
};
void describe(auto& field, EditTaskRequest const* extended) {
  field(&EditTaskRequest::id, kIdField);
  field(&EditTaskRequest::title, "title", "New title");
  field(&EditTaskRequest::status, "status", "Column to move to");
  field(&EditTaskRequest::priority, "priority", "New priority, by name or place from the top");
  field(&EditTaskRequest::assignee, "assignee", "Worker or person; empty for nobody");
  field(&EditTaskRequest::role, "role", "Role that may take it; empty for none");
  field(&EditTaskRequest::tags, "tags", "Tags in place of those it has");
  field(&EditTaskRequest::add_tags, "add_tags", "Tags to add");
  field(&EditTaskRequest::remove_tags, "remove_tags", "Tags to take away");
  field(&EditTaskRequest::due, "due", "Due date; null for none");
  describe(field, static_cast<core::PlainChanges const*>(extended));
  field(&EditTaskRequest::body, "body", "New brief");
  field(&EditTaskRequest::append_body, "append_body", "Text to add to the brief");
  field(&EditTaskRequest::parent, "parent", "Task it is part of; null for none");
  field(&EditTaskRequest::depends_on, "depends_on", "Dependencies in place of those it has");
  field(&EditTaskRequest::add_deps, "add_deps", "Dependencies to add");
  field(&EditTaskRequest::remove_deps, "remove_deps", "Dependencies to take away");
  field(&EditTaskRequest::class_, "class", "New class of service");
  field(&EditTaskRequest::touches, "touches", "Path globs the work will change");
  field(&EditTaskRequest::next_tasks, "next_tasks", "What follows when it is done");
  field(&EditTaskRequest::checks, "checks", "Verification commands that must pass");
  field(&EditTaskRequest::review, "review", "required, none or inherit");
  field(&EditTaskRequest::plan, "plan",
        "required or none: whether a person must accept a plan before the work");
  field(&EditTaskRequest::max_attempts, "max_attempts", "After this many attempts it counts as failed");
  field(&EditTaskRequest::not_before, "not_before", "Not picked before this time; null for at once");
  field(&EditTaskRequest::autocomplete, "autocomplete", "Done when its last sub-task is");
  field(&EditTaskRequest::started, "started", "When work on it began; null for not yet");
  field(&EditTaskRequest::completed, "completed", "When it was finished; null for not yet");
  field(&EditTaskRequest::block, "block", "Mark it as blocked, for this reason");
  field(&EditTaskRequest::unblock, "unblock", "Take the blocked mark away", core::set_only);
  field(&EditTaskRequest::take, "take", "Claim it for the name in `claim` as well", core::set_only);
  field(&EditTaskRequest::release, "release", "End its claim as well; anyone may", core::set_only);
  field(&EditTaskRequest::heed_claims, "heed_claims",
        "Refuse when it stands unclaimed in a column that requires a claim", core::set_only);
  field(&EditTaskRequest::claim, kClaimField);
  field(&EditTaskRequest::epoch, kEpochField);
  field(&EditTaskRequest::force, kForceField);
}

core::Result<core::Task> edit_task(OperationContext& ctx, EditTaskRequest const& request);

/// Adds the text to the brief, one blank line below what is there; nothing for an empty text.
core::Result<void> append_to_body(OperationContext& ctx, std::string const& text, core::Change& change);

}  // namespace andon::service
