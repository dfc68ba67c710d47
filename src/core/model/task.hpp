#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/field.hpp"
#include "core/model/stage.hpp"
#include "core/time/time.hpp"

namespace andon::core {

using TaskId = std::int64_t;
using BoardId = std::int64_t;

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
BOOST_DESCRIBE_STRUCT(NextTask, (),
                      (title, body, role, assignee, priority, class_, tags, status, review, next_tasks))
inline constexpr std::array kNextTaskFields{
    Field{"title", "Title; {{parent.title}} and the like are filled in", required},
    Field{"body", "Brief; {{parent.result}} and the like are filled in"},
    Field{"role", "Role that may take it"},
    Field{"assignee", "Worker or person who shall do it"},
    Field{"priority", "Priority; the board's default when empty"},
    Field{"class", "Class of service; the board's default when empty"},
    Field{"tags", "Tags"},
    Field{"status", "Column; the ready column when empty"},
    Field{"review", "required, none or inherit"},
    Field{"next_tasks", "What follows after it"}};
constexpr auto const& fields(NextTask const*) { return kNextTaskFields; }

/// The flag of a task whose agent has reported its work: it stays in work until the run has ended, its checks
/// have passed and, where the board lands work without a verdict, its branch has landed.
inline constexpr std::string_view kReported = "reported";

/// The reason of a task that was put into a blocked column by somebody who gave none.
inline constexpr std::string_view kNoReason = "no reason given";

struct Progress {
  std::int64_t done = 0;
  std::int64_t total = 0;
  bool operator==(Progress const&) const = default;
};
BOOST_DESCRIBE_STRUCT(Progress, (), (done, total))
inline constexpr std::array kProgressFields{Field{"done", "Finished", always}, Field{"total", "All", always}};
constexpr auto const& fields(Progress const*) { return kProgressFields; }

/// A question to a person about a task: of a blocked task, or of a run that waits for the answer while it
/// holds the task.
struct Question {
  std::string text;
  std::vector<std::string> choices;  ///< answers to choose from; any other text is an answer, too
  std::string asked_by;              ///< an actor, such as worker:developer
  Instant asked_at{};
  std::optional<std::int64_t> run{};  ///< the run that waits; absent where the task is blocked
  bool operator==(Question const&) const = default;
};
BOOST_DESCRIBE_STRUCT(Question, (), (text, choices, asked_by, asked_at, run))
inline constexpr std::array kQuestionFields{
    Field{"text", "What is asked", always}, Field{"choices", "Answers to choose from"},
    Field{"asked_by", "Who asks", always}, Field{"asked_at", "When it was asked", always},
    Field{"run", "Run that waits for the answer while it works; absent where the task is blocked"}};
constexpr auto const& fields(Question const*) { return kQuestionFields; }

enum class ReviewRule { inherit, required, none };
inline constexpr std::array<std::string_view, 3> kReviewRuleNames{"inherit", "required", "none"};
constexpr auto const& wire_names(ReviewRule) { return kReviewRuleNames; }

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
  bool operator==(TaskState const&) const = default;
};
BOOST_DESCRIBE_STRUCT(TaskState, (),
                      (open_deps, notes, entered, returns_to, last_failure, stopping, supervised, chained,
                       depth, reviews, not_for, retry_at))

/// One unit of work. Members stand in the order of the wire: kanban-md's keys, then ours.
struct Task {
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
  std::string estimate;
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
  std::int64_t epoch = 0;  ///< fencing number: rises whenever a claim begins or ends
  std::vector<std::string> touches;
  std::vector<NextTask> next_tasks;
  std::vector<std::string> checks;
  ReviewRule review = ReviewRule::inherit;
  bool approved = false;
  std::string source;
  std::string created_by;
  int attempt = 0;
  int max_attempts = 3;
  std::optional<Instant> not_before;
  std::optional<std::int64_t> run;
  std::string result;                ///< what the last run that ended well said
  std::string flag;                  ///< what a reviewer must know at a glance, e.g. "no evidence"
  std::optional<Question> question;  ///< of a blocked task, or of its live run
  std::string rank;                  ///< manual order among equals, an opaque sortable string
  std::int64_t rev = 1;
  bool autocomplete = false;  ///< done when its last sub-task is
  std::optional<Progress> children;
  std::vector<std::string> can;               ///< verbs the caller may use now; told to people over HTTP only
  std::map<std::string, std::string> cannot;  ///< why not the others, by verb
  std::string notice;                 ///< how it goes on after a report; in the answer of a change only
  std::vector<std::string> warnings;  ///< what is allowed but looks wrong; in the answer of a change only
  TaskState state;

  bool operator==(Task const&) const = default;
};
BOOST_DESCRIBE_STRUCT(Task, (),
                      (id, title, status, priority, created, updated, started, completed, assignee, tags, due,
                       estimate, parent, depends_on, blocked, block_reason, claimed_by, claimed_at, class_,
                       body, file, key, board, stage, role, claim_expires, epoch, touches, next_tasks, checks,
                       review, approved, source, created_by, attempt, max_attempts, not_before, run, result,
                       flag, question, rank, rev, autocomplete, children, can, cannot, notice, warnings))
inline constexpr std::array kTaskFields{
    Field{"id", "Number of the task", always},
    Field{"title", "One line", always},
    Field{"status", "Column it is in", always},
    Field{"priority", "One of the board's priorities", always},
    Field{"created", "When it was made", always},
    Field{"updated", "When it last changed", always},
    Field{"started", "When it first left the first column"},
    Field{"completed", "When it was finished"},
    Field{"assignee", "Worker or person who shall do it"},
    Field{"tags", "Tags"},
    Field{"due", "Due date"},
    Field{"estimate", "Estimate, free text"},
    Field{"parent", "Task it is part of"},
    Field{"depends_on", "Tasks that must be done first"},
    Field{"blocked", "Whether it is blocked", set_only},
    Field{"block_reason", "Why it is blocked"},
    Field{"claimed_by", "Who holds it"},
    Field{"claimed_at", "Since when"},
    Field{"class", "Class of service"},
    Field{"body", "The brief, in Markdown"},
    Field{"file", "Where its file is, on a board of files"},
    Field{"key", "Number with the board's prefix"},
    Field{"board", "Board it is on", always},
    Field{"stage", "What its column means", always},
    Field{"role", "Any worker of this role may take it"},
    Field{"claim_expires", "When the claim ends without a renewal"},
    Field{"epoch", "Fencing number of the claim", always},
    Field{"touches", "Path globs the work will change"},
    Field{"next_tasks", "Tasks that come into being when it is done"},
    Field{"checks", "Verification commands of the board that must pass"},
    Field{"review", "Whether it needs a verdict: required, none or inherit", always},
    Field{"approved", "Whether a person has approved it", set_only},
    Field{"source", "The door it came through"},
    Field{"created_by", "Who made it"},
    Field{"attempt", "How many attempts have begun", always},
    Field{"max_attempts", "After this many attempts it counts as failed", always},
    Field{"not_before", "Not picked before this time"},
    Field{"run", "Current or last run"},
    Field{"result", "What the last run that ended well said"},
    Field{"flag", "What a reviewer must know at a glance"},
    Field{"question", "What it waits for an answer to"},
    Field{"rank", "Manual order among equals", always},
    Field{"rev", "Rises with every change", always},
    Field{"autocomplete", "Whether it is done when its last sub-task is", set_only},
    Field{"children", "Progress of its sub-tasks"},
    Field{"can", "Verbs the caller may use now; told to people over HTTP"},
    Field{"cannot", "Why not the others, by verb; told with `can`"},
    Field{"notice", "How it goes on after a report of its agent"},
    Field{"warnings", "What the change was allowed to do and yet looks wrong"}};
constexpr auto const& fields(Task const*) { return kTaskFields; }

}  // namespace andon::core
