#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/id.hpp"
#include "core/model/event.hpp"
#include "core/model/run.hpp"
#include "core/model/stage.hpp"
#include "core/model/token.hpp"
#include "core/time/time.hpp"

namespace andon::store {

using core::BoardId;

/// The most tasks that the unit of work that changes a board may change with it.
inline constexpr std::int64_t kMostAtOnce = 100;

enum class TaskOrder { id, title, status, priority, created, updated, due, pick };

/// The tasks that a list asks for; a task must meet every given condition.
struct TaskFilter {
  std::optional<core::BoardId> board;
  std::vector<std::string> statuses;  ///< any of them
  std::vector<core::Stage> stages;    ///< any of them
  std::vector<std::string> priorities;
  std::string assignee;
  std::string role;
  std::string tag;
  std::string class_;
  std::string claimed_by;
  std::string text;  ///< found in title, body or tags, ignoring case
  std::optional<core::TaskId> parent;
  std::optional<bool> claimed;  ///< live at `now`
  std::optional<bool> blocked;
  std::optional<bool> open_deps;
  bool archived = false;  ///< archived tasks too; a status or stage that names them includes them as well
  core::Instant now{};    ///< the time at which a claim must be live to count as claimed
};

/// The request for one page. The cursor is the sort key of the last task of the previous page, as an opaque
/// text made by the store.
struct Page {
  std::size_t limit = 500;
  std::string cursor;
  TaskOrder order = TaskOrder::id;
  bool reverse = false;
  bool with_files = false;  ///< fills in the file names of tasks that have files
  /// The page ends after this many tasks that do not fit the filter, with a cursor for the rest.
  std::size_t most_passed_over = std::numeric_limits<std::size_t>::max();
};

/// The properties by which tasks can be counted.
enum class Facet { assignee, tag, class_, priority, status, role, parent };

/// Tasks of one column that have the same value of a facet.
struct Tally {
  std::string status;
  std::string value;  ///< empty where a task has none
  std::int64_t count = 0;
  std::int64_t blocked = 0;
  std::int64_t overdue = 0;  ///< due before today and not finished
};

/// The part of a board that a pick searches: one index probe per pair of column and lane.
struct PickScope {
  core::BoardId board = 0;
  std::vector<std::string> columns;                   ///< names as in the board
  std::vector<std::string> queue_keys;                ///< as `core::lane` makes them
  std::string class_first{};                          ///< a class of service that comes before all others
  std::vector<std::string> tags{};                    ///< any of them; all tasks when empty
  std::optional<std::vector<std::string>> classes{};  ///< only of these classes of service; of all by default
};

enum class Side { before, after };

/// The answer of a pick to a task that the store offers.
enum class PickAnswer {
  take,
  pass,
  held,  ///< passed over, because another task holds files that it touches
};

struct EventFilter {
  core::EventSeq after = 0;         ///< events with a greater seq
  std::vector<std::string> boards;  ///< any of them, and events of no board; all when empty
  std::optional<core::TaskId> task;
  std::optional<core::EventKind> kind;
  std::optional<core::Instant> since;
  std::size_t limit = 500;
  bool newest = false;  ///< the last `limit` events instead of the first; still in ascending order
};

/// The rights of one credential. The store keeps only the SHA-256 of the secret, never the secret itself.
struct Token {
  core::TokenId id = 0;
  std::string hash;  ///< SHA-256 of the secret, in hex
  core::TokenKind kind = core::TokenKind::code;
  std::string name;  ///< of the person or the worker
  core::RunId run = 0;
  core::TaskId task = 0;
  core::Epoch epoch = 0;
  std::string board;
  core::Instant created{};
  std::optional<core::Instant> expires;
  std::optional<core::Instant> revoked;
  std::string label;
};

/// The answer to an operation that came with an idempotency key.
struct Remembered {
  std::string fingerprint;  ///< SHA-256 of operation, actor and request, so that a reused key is noticed
  std::string answer;       ///< JSON
  core::Instant at{};
};

/// The columns of a finished task that statistics need.
struct Finished {
  core::TaskId id = 0;
  core::Instant created{};
  std::optional<core::Instant> started;
  core::Instant completed{};
  std::string class_;
  std::string assignee;
  std::optional<core::RunId> run;  ///< the task's last run
};

/// An event that brought a task into a column.
struct ColumnMove {
  core::Instant at{};
  core::EventKind kind{};
  core::TaskId task = 0;
  std::string from;  ///< column before; empty for a new task
  std::string to;
};

/// The number of moves of one kind into a column within a period of at most a quarter of an hour.
struct MoveTotal {
  core::Instant at{};      ///< beginning of the period
  core::EventKind kind{};  ///< `board_changed` when the column was removed or renamed together with its tasks
  std::string from;        ///< column before; empty for new tasks
  std::string to;
  std::string worker;  ///< the worker of the tasks, when they left a review
  std::int64_t n = 0;
};

/// The tasks of one class and worker that were finished within a period of at most a quarter of an hour.
struct FinishedTotal {
  core::Instant at{};
  std::string class_;
  std::string worker;  ///< the worker of the last run, else the assignee
  std::int64_t n = 0;
  core::Duration lead{0};   ///< from creation to completion, summed over all tasks
  std::int64_t cycles = 0;  ///< the number of tasks that have a start time
  core::Duration cycle{0};  ///< from start to completion, summed over the tasks that have a start time
  core::Duration lead_of_cycles{0};
};

/// How many tasks took about how long, in ascending order of the times. Each time stands for times that
/// differ from it by at most 3 per cent.
struct TimeSpreads {
  std::vector<std::pair<core::Duration, std::int64_t>> lead, cycle;
};

/// The ended runs of one worker.
struct RunTotal {
  std::string worker;
  std::int64_t runs = 0;
  std::int64_t failed = 0;
  core::Duration busy{0};
  core::Usage usage;          ///< its cost is that of the runs that told a price
  std::int64_t unpriced = 0;  ///< of the runs: those that told none
  std::int64_t flaky = 0;     ///< checks of the runs that failed and passed when they were run again
};

/// The stage that a column name of a board stood for until a given time.
struct FormerColumn {
  core::Instant until{};
  std::string name;
  core::Stage stage{};
};

}  // namespace andon::store
