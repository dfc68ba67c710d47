#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/event.hpp"
#include "core/search_query.hpp"
#include "core/stage.hpp"
#include "core/task.hpp"

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
};

struct TaskPage {
  std::vector<core::Task> tasks;  ///< without bodies
  std::string next;               ///< cursor of the next page; empty at the end
};

/// What tasks can have in common.
enum class Facet { assignee, tag, class_, priority, status, role, parent };

/// Tasks of one column that have the same values of the asked facets.
struct Tally {
  std::string status;
  std::vector<std::string> values;  ///< in the order asked for; empty where a task has none
  std::int64_t count = 0;
  std::int64_t blocked = 0;
  std::int64_t overdue = 0;  ///< due before today and not finished
};

/// Where a pick looks: one probe per pair of column and lane.
struct PickScope {
  std::int64_t board = 0;
  std::vector<std::string> columns;  ///< names as in the board
  std::vector<std::string> lanes;    ///< as `core::lane` makes them
  std::string class_first{};         ///< a class of service that comes before all others
  std::vector<std::string> tags{};   ///< any of them; all tasks when empty
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

/// A page of hits is asked for by how many came before.
struct SearchPage {
  std::vector<SearchHit> hits;
  bool more = false;
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

/// What the name of a board's column meant until then.
struct FormerColumn {
  core::Instant until{};
  std::string name;
  core::Stage stage{};
};

}  // namespace andon::store
