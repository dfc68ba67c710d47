#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/id.hpp"
#include "core/model/attachment.hpp"
#include "core/model/next_task.hpp"
#include "core/model/plain_field.hpp"
#include "core/model/plan.hpp"
#include "core/model/progress.hpp"
#include "core/model/question.hpp"
#include "core/model/review_by.hpp"
#include "core/model/stage.hpp"
#include "core/model/work_state.hpp"
#include "core/source.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The reason of a task that was put into a blocked column by somebody who gave none.
inline constexpr std::string_view kNoReason = "no reason given";

/// The most ancestors of a task.
inline constexpr int kMostAbove = 100;

/// The engine's own data about a task.
struct TaskState {
  std::int64_t open_deps = 0;  ///< dependencies not satisfied yet
  std::int64_t notes = 0;
  Instant entered{};         ///< when it came into its column
  std::string returns_to;    ///< column before it was blocked
  std::string last_failure;  ///< reason of the last failed attempt, for the next prompt and for parking
  bool stopping = false;     ///< its agent is being stopped
  bool supervised = false;   ///< the claim belongs to a run that Andon started
  bool chained = false;      ///< its chain has fired
  int depth = 0;             ///< length of the chain that led to it
  TaskId reviews = 0;        ///< the task that this one is to give a verdict on
  std::string not_for;       ///< the worker whose work it is about, who may not take it
  /// The end of its back-off, when the engine set `not_before` to it: a timer, which follows no step of the
  /// wall clock; any other `not_before` is a time of the calendar.
  std::optional<Instant> retry_at;
  ReportState report = ReportState::none;
  WorkRemark remark = WorkRemark::none;
  bool operator==(TaskState const&) const = default;
};
void describe(auto& field, TaskState const*) {
  field(&TaskState::open_deps, "open_deps");
  field(&TaskState::notes, "notes");
  field(&TaskState::entered, "entered");
  field(&TaskState::returns_to, "returns_to");
  field(&TaskState::last_failure, "last_failure");
  field(&TaskState::stopping, "stopping");
  field(&TaskState::supervised, "supervised");
  field(&TaskState::chained, "chained");
  field(&TaskState::depth, "depth");
  field(&TaskState::reviews, "reviews");
  field(&TaskState::not_for, "not_for");
  field(&TaskState::retry_at, "retry_at");
  field(&TaskState::report, "report");
  field(&TaskState::remark, "remark");
}

/// One unit of work. Members stand in the order of the wire: kanban-md's keys, then ours.
struct Task : PlainTexts {
  TaskId id = 0;
  std::string title;
  std::string status;
  std::string priority;
  Instant created{};
  Instant updated{};
  std::optional<Instant> started;
  std::optional<Instant> completed;
  std::string assignee;
  std::vector<std::string> tags;
  std::optional<Date> due;
  std::optional<TaskId> parent;
  std::vector<TaskId> depends_on;
  bool blocked = false;
  std::string block_reason;
  std::string claimed_by;
  std::optional<Instant> claimed_at;
  std::string class_;
  std::string body;  ///< loaded only where it is asked for
  std::string file;  ///< absolute path, on boards of files; told by the store, never stored
  std::string key;
  std::string board;
  Stage stage = Stage::backlog;
  std::string role;
  std::optional<Instant> claim_expires;
  Epoch epoch = 0;  ///< fencing number: rises whenever a claim begins or ends
  std::vector<std::string> touches;
  std::vector<NextTask> next_tasks;
  std::vector<std::string> checks;
  ReviewRule review = ReviewRule::inherit;
  PlanRule plan = PlanRule::none;
  PlanState plan_state = PlanState::none;
  bool approved = false;
  std::string source;  ///< a `Source`, or any text of a file
  std::string created_by;
  int attempt = 0;
  int max_attempts = 3;
  std::optional<Instant> not_before;
  std::optional<RunId> run;
  std::string result;  ///< what the last run that ended well said
  std::string flag;    ///< what people must know at a glance, e.g. "no evidence"; core/tasks/work_state
  std::optional<Question> question;  ///< of a blocked task, or of its live run
  std::vector<Attachment> attachments{};
  std::string rank;  ///< manual order among equals, an opaque sortable string
  Revision rev = 1;
  bool autocomplete = false;  ///< done when its last sub-task is
  std::optional<Progress> children;
  std::vector<std::string> can;               ///< verbs the caller may use now; told to people over HTTP only
  std::map<std::string, std::string> cannot;  ///< why not the others, by verb
  std::string notice;                 ///< how it goes on after a report; in the answer of a change only
  std::vector<std::string> warnings;  ///< what is allowed but looks wrong; in the answer of a change only
  TaskState state;

  bool operator==(Task const&) const = default;
};
/// Removes what only answers tell about the task. `body` and `file` stay.
inline void strip_told(Task& task) {
  task.children.reset();
  task.can.clear();
  task.cannot.clear();
  task.notice.clear();
  task.warnings.clear();
}
/// The task without what only answers tell about it.
inline Task as_stored(Task task) {
  strip_told(task);
  return task;
}
void describe(auto& field, Task const* extended) {
  field(&Task::id, "id", "Number of the task", always);
  field(&Task::title, "title", "One line", always);
  field(&Task::status, "status", "Column it is in", always);
  field(&Task::priority, "priority", "One of the board's priorities", always);
  field(&Task::created, "created", "When it was made", always);
  field(&Task::updated, "updated", "When it last changed", always);
  field(&Task::started, "started", "When it first left the first column");
  field(&Task::completed, "completed", "When it was finished");
  field(&Task::assignee, "assignee", "Worker or person who shall do it");
  field(&Task::tags, "tags", "Tags");
  field(&Task::due, "due", "Due date");
  describe(field, static_cast<PlainTexts const*>(extended));
  field(&Task::parent, "parent", "Task it is part of");
  field(&Task::depends_on, "depends_on", "Tasks that must be done first");
  field(&Task::blocked, "blocked", "Whether it is blocked", set_only);
  field(&Task::block_reason, "block_reason", "Why it is blocked");
  field(&Task::claimed_by, "claimed_by", "Who holds it");
  field(&Task::claimed_at, "claimed_at", "Since when");
  field(&Task::class_, "class", "Class of service");
  field(&Task::body, "body", "The brief, in Markdown");
  field(&Task::file, "file", "Where its file is, on a board of files");
  field(&Task::key, "key", "Number with the board's prefix");
  field(&Task::board, "board", "Board it is on", always);
  field(&Task::stage, "stage", "What its column means", always);
  field(&Task::role, "role", "Any worker of this role may take it");
  field(&Task::claim_expires, "claim_expires", "When the claim ends without a renewal");
  field(&Task::epoch, "epoch", "Fencing number of the claim", always);
  field(&Task::touches, "touches", "Path globs the work will change");
  field(&Task::next_tasks, "next_tasks", "Tasks that come into being when it is done");
  field(&Task::checks, "checks", "Verification commands of the board that must pass");
  field(&Task::review, "review", "Whether it needs a verdict: required, none or inherit", always);
  field(&Task::plan, "plan", "required when a person must accept a plan before the work", set_only);
  field(&Task::plan_state, "plan_state", "State of its plan: proposed, accepted or returned", set_only);
  field(&Task::approved, "approved", "Whether a person has approved it", set_only);
  field(&Task::source, "source", "The door it came through");
  field(&Task::created_by, "created_by", "Who made it");
  field(&Task::attempt, "attempt", "How many attempts have begun", always);
  field(&Task::max_attempts, "max_attempts", "After this many attempts it counts as failed", always);
  field(&Task::not_before, "not_before", "Not picked before this time");
  field(&Task::run, "run", "Current or last run");
  field(&Task::result, "result", "What the last run that ended well said");
  field(&Task::flag, "flag", "What a reviewer must know at a glance");
  field(&Task::question, "question", "What it waits for an answer to");
  field(&Task::attachments, "attachments", "Files that belong to it");
  field(&Task::rank, "rank", "Manual order among equals", always);
  field(&Task::rev, "rev", "Rises with every change", always);
  field(&Task::autocomplete, "autocomplete", "Whether it is done when its last sub-task is", set_only);
  field(&Task::children, "children", "Progress of its sub-tasks");
  field(&Task::can, "can", "Verbs the caller may use now; told to people over HTTP");
  field(&Task::cannot, "cannot", "Why not the others, by verb; told with `can`");
  field(&Task::notice, "notice", "How it goes on after a report of its agent");
  field(&Task::warnings, "warnings", "What the change was allowed to do and yet looks wrong");
}

}  // namespace andon::core
