#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tasks/likeness.hpp"
#include "store/engine/counts.hpp"
#include "store/engine/derived.hpp"
#include "store/engine/history.hpp"
#include "store/engine/queries.hpp"
#include "store/engine/statistics.hpp"

namespace andon::store::engine {

/// A new or changed task. The objects are the caller's and live until the write returns.
struct TaskChange {
  core::Task const* task = nullptr;    ///< with its body when `with_body`
  core::Task const* before = nullptr;  ///< as it is stored, without its body; null for a new task
  core::BoardId board = 0;
  Derived const* derived = nullptr;
  bool with_body = false;
  core::Sketch const* sketch = nullptr;  ///< replaces the stored one; null where it stays
};

/// Claims that change together.
struct ClaimsChange {
  enum class Kind {
    move,             ///< the ends after `at` move by `by`; claims that are kept in files stay
    extend_runs,      ///< those of runs that end after `at` end at `until` or later
    extend_of_board,  ///< those on `board` that are not of runs and end after `at` end at `until` or later
    settle,           ///< the ended claim of `task` needs no action
    unsettle_holder,  ///< those of `name` in claimed or active are looked at again
    unsettle_column   ///< those in the column `name` of `board` are looked at again
  };
  Kind kind{};
  core::Instant at{};
  core::Instant until{};
  core::Duration by{};
  core::BoardId board = 0;
  core::TaskId task = 0;
  std::string name{};
  std::vector<core::BoardId> in_files{};  ///< boards that keep their claims in files
};

struct BoardChange {
  core::Board const* board = nullptr;
  std::string former_name{};  ///< when it was renamed
  bool is_new = false;
};

/// The number of tasks in a column or of a class.
struct LoadChange {
  core::BoardId board = 0;
  bool is_class = false;
  std::string name;
  std::int64_t tasks = 0;
};

struct RunChange {
  core::Run const* run = nullptr;
  bool is_new = false;
};

/// The changes of a unit of work. A session stores all of it, in the order of the members, or throws; after
/// that it may have stored a part, which the engine undoes. It refuses, as StoreError, a second board or
/// automation of a name, a second token of a hash, and a second run of a task while one has not ended. It
/// also keeps what follows from the tasks alone: their tags and dependencies, their places in the queues of
/// their tags, the counts of sub-tasks, the open reviews, and which texts the full-text index lacks.
struct Writes {
  std::vector<BoardChange> boards{};
  std::vector<core::Worker const*> workers{};
  std::vector<TaskChange> tasks{};
  std::vector<TaskChange> derived{};     ///< tasks of which only stage and derived columns change
  std::vector<core::TaskId> promoted{};  ///< tasks put aside that are pickable now
  std::vector<ClaimsChange> claims{};
  std::vector<core::Task const*> erased{};  ///< tasks that go with all that belongs to them except history
  std::vector<core::TaskId> forgotten{};    ///< erased tasks whose files are not known any more
  std::vector<LoadChange> loads{};
  std::vector<RunChange> runs{};
  std::vector<AppendedEvent> events{};
  CountChanges counts{};
  Records records{};
  std::vector<core::BoardId> boards_removed{};
  std::vector<std::string> workers_removed{};
  std::vector<core::AutomationId> automations_removed{};
  std::vector<core::BoardId> settled{};  ///< boards whose tasks are all derived again
  std::optional<LastNumbers> numbers{};  ///< numbers of runs and tokens that stay given when their rows go
  bool reshaped = false;  ///< boards or workers have changed: raises the number of the registry
};

}  // namespace andon::store::engine
