#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/model/event.hpp"
#include "core/model/run.hpp"
#include "core/model/stage.hpp"
#include "core/model/task.hpp"
#include "core/tasks/search_query.hpp"

namespace andon::store {

enum class TaskOrder { id, title, status, priority, created, updated, due, pick };

/// Which tasks a list asks for; every given part must hold.
struct TaskFilter {
  std::optional<std::int64_t> board;
  std::vector<std::string> statuses;  ///< any of them
  std::vector<core::Stage> stages;    ///< any of them
  std::vector<std::string> priorities;
  std::string assignee;
  std::string role;
  std::string tag;
  std::string class_;
  std::string claimed_by;
  std::string text;  ///< found in title, body or tags, without regard to case
  std::optional<core::TaskId> parent;
  std::optional<bool> claimed;  ///< live at `now`
  std::optional<bool> blocked;
  std::optional<bool> open_deps;
  bool archived = false;  ///< archived tasks too; a status or stage that names them includes them as well
  core::Instant now{};    ///< what "live" means for claims
};

/// A page is asked for by the sort key of the last task of the page before: an opaque text made by the store.
struct Page {
  std::size_t limit = 500;
  std::string cursor;
  TaskOrder order = TaskOrder::id;
  bool reverse = false;
  bool with_files = false;  ///< tasks tell their files, where they have some
  /// So many tasks that do not fit the filter may be passed over; then the page ends, with a cursor for the
  /// rest.
  std::size_t most_passed_over = std::numeric_limits<std::size_t>::max();
};

struct TaskPage {
  std::vector<core::Task> tasks;  ///< without bodies
  std::string next;               ///< cursor of the next page; empty at the end
};

/// What tasks can have in common.
enum class Facet { assignee, tag, class_, priority, status, role, parent };

/// Tasks of one column that have the same value of a facet.
struct Tally {
  std::string status;
  std::string value;  ///< empty where a task has none
  std::int64_t count = 0;
  std::int64_t blocked = 0;
  std::int64_t overdue = 0;  ///< due before today and not finished
};

/// Where a pick looks: one probe per pair of column and lane.
struct PickScope {
  std::int64_t board = 0;
  std::vector<std::string> columns;     ///< names as in the board
  std::vector<std::string> queue_keys;  ///< as `core::lane` makes them
  std::string class_first{};            ///< a class of service that comes before all others
  std::vector<std::string> tags{};      ///< any of them; all tasks when empty
};

struct EventFilter {
  std::int64_t after = 0;           ///< events with a greater seq
  std::vector<std::string> boards;  ///< any of them, and events of no board; all when empty
  std::optional<core::TaskId> task;
  std::optional<core::EventKind> kind;
  std::optional<core::Instant> since;
  std::size_t limit = 500;
  bool newest = false;  ///< the last `limit` events instead of the first; still in ascending order
};

/// What a credential may act as. The secret itself is never stored, only its SHA-256.
struct Token {
  std::int64_t id = 0;
  std::string hash;  ///< SHA-256 of the secret, in hex
  std::string kind;  ///< `admin`, `person`, `session`, `code`, `run`
  std::string name;  ///< of the person or the worker
  std::int64_t run = 0;
  core::TaskId task = 0;
  std::int64_t epoch = 0;
  std::string board;
  core::Instant created{};
  std::optional<core::Instant> expires;
  std::optional<core::Instant> revoked;
  std::string label;
};

/// The answer of an operation under an idempotency key.
struct Remembered {
  std::string fingerprint;  ///< SHA-256 of operation, actor and request, so that a reused key is noticed
  std::string answer;       ///< JSON
  core::Instant at{};
};

struct SearchHit {
  core::Task task;
  std::string snippet;  ///< where the words stand; empty for a query without words
};

/// A page of hits is asked for by how many came before; a search without words by the task before.
struct SearchPage {
  std::vector<SearchHit> hits;
  bool more = false;       ///< whether there is a next page; it may be empty where there are no words
  core::TaskId after = 0;  ///< the task before the next page, where there are no words
  bool truncated = false;  ///< there may be hits that no page shows: too many texts have the words
};

/// A finished task as its row tells it.
struct Finished {
  core::TaskId id = 0;
  core::Instant created{};
  std::optional<core::Instant> started;
  core::Instant completed{};
  std::string class_;
  std::string assignee;
  std::optional<std::int64_t> run;  ///< the last one
};

/// An event that brought a task into a column.
struct ColumnMove {
  core::Instant at{};
  core::EventKind kind{};
  core::TaskId task = 0;
  std::optional<std::int64_t> run;
  std::string from;  ///< column before; empty for a new task
  std::string to;
};

/// Tasks that came into a column in the same way in some time, at most a quarter of an hour.
struct MoveTotal {
  core::Instant at{};      ///< beginning of the time
  core::EventKind kind{};  ///< `board_changed` where the column went and took them along
  std::string from;        ///< column before; empty for new tasks
  std::string to;
  std::string worker;  ///< who did them, where they left a review
  std::int64_t n = 0;
};

/// Tasks of one class that somebody finished in some time, at most a quarter of an hour.
struct FinishedTotal {
  core::Instant at{};
  std::string class_;
  std::string worker;  ///< the one of the last run, else whom they were assigned to
  std::int64_t n = 0;
  core::Duration lead{0};   ///< from creation to completion, of all together
  std::int64_t cycles = 0;  ///< those that were started
  core::Duration cycle{0};  ///< from start to completion, of these together
  core::Duration lead_of_cycles{0};
};

/// How many took about so long, in the order of the times; a time stands for those that differ from it by at
/// most 3 per cent.
struct TimeSpreads {
  std::vector<std::pair<core::Duration, std::int64_t>> lead, cycle;
};

/// Runs of a worker that ended.
struct RunTotal {
  std::string worker;
  std::int64_t runs = 0;
  std::int64_t failed = 0;
  core::Duration busy{0};
  core::Usage usage;
};

/// What the name of a board's column meant until then.
struct FormerColumn {
  core::Instant until{};
  std::string name;
  core::Stage stage{};
};

}  // namespace andon::store
