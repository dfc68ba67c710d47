#pragma once

#include "service/requests.hpp"
#include "service/tasks/change.hpp"
#include "service/tasks/create.hpp"

namespace andon::service {

/// A field of a change request: absent leaves the field as it is, null or an empty text clears it.
template <class T>
using Patch = std::optional<std::optional<T>>;

struct EditTaskRequest {
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
  std::optional<std::string> estimate;
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
  std::optional<std::int64_t> epoch;
  bool force = false;
};
BOOST_DESCRIBE_STRUCT(EditTaskRequest, (),
                      (id, title, status, priority, assignee, role, tags, add_tags, remove_tags, due,
                       estimate, body, append_body, parent, depends_on, add_deps, remove_deps, class_,
                       touches, next_tasks, checks, review, max_attempts, not_before, autocomplete, started,
                       completed, block, unblock, take, release, heed_claims, claim, epoch, force))
inline constexpr std::array kEditTaskFields{
    kIdField,
    core::Field{"title", "New title"},
    core::Field{"status", "Column to move to"},
    core::Field{"priority", "New priority, by name or place from the top"},
    core::Field{"assignee", "Worker or person; empty for nobody"},
    core::Field{"role", "Role that may take it; empty for none"},
    core::Field{"tags", "Tags in place of those it has"},
    core::Field{"add_tags", "Tags to add"},
    core::Field{"remove_tags", "Tags to take away"},
    core::Field{"due", "Due date; null for none"},
    core::Field{"estimate", "Estimate; empty for none"},
    core::Field{"body", "New brief"},
    core::Field{"append_body", "Text to add to the brief"},
    core::Field{"parent", "Task it is part of; null for none"},
    core::Field{"depends_on", "Dependencies in place of those it has"},
    core::Field{"add_deps", "Dependencies to add"},
    core::Field{"remove_deps", "Dependencies to take away"},
    core::Field{"class", "New class of service"},
    core::Field{"touches", "Path globs the work will change"},
    core::Field{"next_tasks", "What follows when it is done"},
    core::Field{"checks", "Verification commands that must pass"},
    core::Field{"review", "required, none or inherit"},
    core::Field{"max_attempts", "After this many attempts it counts as failed"},
    core::Field{"not_before", "Not picked before this time; null for at once"},
    core::Field{"autocomplete", "Done when its last sub-task is"},
    core::Field{"started", "When work on it began; null for not yet"},
    core::Field{"completed", "When it was finished; null for not yet"},
    core::Field{"block", "Mark it as blocked, for this reason"},
    core::Field{"unblock", "Take the blocked mark away", core::set_only},
    core::Field{"take", "Claim it for the name in `claim` as well", core::set_only},
    core::Field{"release", "End its claim as well; anyone may", core::set_only},
    core::Field{"heed_claims", "Refuse when it stands unclaimed in a column that requires a claim",
                core::set_only},
    kClaimField,
    kEpochField,
    kForceField};
constexpr auto const& fields(EditTaskRequest const*) { return kEditTaskFields; }

core::Result<core::Task> edit_task(OperationContext& ctx, EditTaskRequest const& request);

/// Adds the text to the brief, one blank line below what is there; nothing for an empty text.
core::Result<void> append_to_body(OperationContext& ctx, std::string const& text, Change& change);

}  // namespace andon::service
