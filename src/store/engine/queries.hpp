#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/id.hpp"
#include "core/model/automation.hpp"
#include "core/model/board.hpp"
#include "core/model/progress.hpp"
#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "core/model/worker.hpp"
#include "core/tasks/likeness.hpp"
#include "core/tasks/pick.hpp"
#include "store/contract/query.hpp"
#include "store/engine/queue.hpp"
#include "store/engine/task_row.hpp"

namespace andon::store::engine {

inline constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max() / 2;

/// All boards, with their ids, and all workers.
struct Registry {
  std::int64_t number = 0;    ///< rises from 1 on, by one with each `Writes::reshaped`
  std::string incarnation{};  ///< distinguishes this database from all others; empty when it has none
  std::vector<core::Board> boards;
  std::vector<core::Worker> workers;
};

/// Tasks by their ids.
struct TasksQuery {
  std::vector<core::TaskId> ids;
  bool with_bodies = false;
  std::size_t longest_body = kAll;  ///< tasks with a longer body are left out
};

/// A set of tasks that an index of the database has.
struct TaskSet {
  enum class Kind {
    of_board,         ///< of `board` after `after.second`, by id
    touching,         ///< of `board` that hold files, by id
    aside,            ///< of `board` and `column` that are not marked pickable
    longest_started,  ///< of `board`, started and unfinished, by start
    claimed_by,       ///< by `name` in ready, claimed or active, at `at`, by id
    expired,          ///< claims that ended by `at`, by (end, id) after `after`; settled ones are left out
    claims_after,     ///< claims that end after `at`, by end; settled ones are left out
    retries_after,    ///< tasks with a failed attempt that wait for a time after `at`
    alike             ///< of `board` with one of the `keys` in their sketch, newest first
  };
  Kind kind{};
  core::BoardId board = 0;
  std::string name{};  ///< of the column or the holder
  core::Instant at{};
  std::pair<core::Instant, core::TaskId> after{};
  std::size_t most = kAll;
  core::Sketch keys{};
};
/// The most tasks of one key, the newest ones, that `TaskSet::Kind::alike` finds.
inline constexpr std::int64_t kMostOfKey = 64;

/// The relations of tasks that a read asks for.
struct LinksQuery {
  std::vector<core::TaskId> tasks;
  bool dependents = false;
  bool children = false;
  bool progress = false;
  bool open_review = false;
  int levels = 0;           ///< the most levels of sub-tasks that are counted
  std::size_t most = kAll;  ///< of dependents, and of children, of each task
};
struct Links {
  std::vector<core::TaskId> dependents{};  ///< tasks that wait for it, by id
  std::vector<core::TaskId> children{};    ///< by id
  std::optional<core::Progress> progress{};
  std::optional<core::TaskId> open_review{};  ///< the newest one
  int levels = 0;                             ///< of sub-tasks below it
};

/// A task of a queue at its place in it.
struct Candidate {
  core::PickKey key;
  TaskRow row;
};
/// The first pickable tasks of a queue, or the approved tasks that wait in the backlog stage of a board for
/// room, from a key on. Without either: all tasks put aside whose time has come by `due`.
struct CandidatesQuery {
  std::optional<Queue> queue{};
  std::optional<core::BoardId> waiting_on{};
  core::PickKey from = first_key();
  core::Instant due{};
  std::size_t most = kAll;
};
/// The number of pickable tasks of a queue, up to a key where it is given; counts at most `most`.
struct AskQueueCount {
  Queue queue;
  std::optional<core::PickKey> before{};
  std::int64_t most = 0;
};
/// The keys of the queues of a column that have pickable tasks, in order; at most `most`, none is empty.
struct AskQueueKeys {
  core::BoardId board = 0;
  std::string column;
  std::int64_t most = 0;
};
/// The next time after `now` at which time alone may make a task pickable: that of a task put aside, which
/// may have passed, or the end of a claim.
struct AskNextTime {
  core::Instant now{};
};
/// The rank beside that of the key among the tasks of a column that sort alike but for it; `but` is passed
/// over.
struct AskRankBeside {
  core::BoardId board = 0;
  std::string column;
  core::PickKey key;
  core::TaskId but = 0;
  Side side{};
};
using QueueQuestion = std::variant<AskQueueCount, AskQueueKeys, AskNextTime, AskRankBeside>;
/// An answer; only the member that was asked for is filled.
struct QueueFacts {
  std::int64_t count = 0;
  std::vector<std::string> keys{};
  std::optional<core::Instant> next_time{};  ///< nothing when no time makes a task pickable
  std::string rank{};                        ///< empty when no task is on that side
};

struct RunsQuery {
  enum class Kind { by_id, of_task, live, recent };
  Kind kind{};
  std::int64_t id = 0;      ///< of the run or the task
  std::size_t most = kAll;  ///< of recent ones, newest first; others are ordered by id
};

/// How far the tasks of a changed board are derived again.
struct Settling {
  core::BoardId board = 0;
  core::TaskId after = 0;      ///< the last settled task
  std::int64_t unsettled = 0;  ///< about how many tasks are left
};

/// Records that are found by a key.
struct RecordsQuery {
  enum class Kind {
    guard,            ///< of the run `number`
    automations,      ///< that with the `number`; for 0 all, by number
    token,            ///< with the hash `key`
    token_beginning,  ///< whose hash begins with `key`; the first one
    tokens,           ///< after `number`, by number
    tokens_of_run,    ///< of the run `number`
    remembered,       ///< under `key`
    setting,          ///< named `key`
    settings,         ///< all, by name
    settling          ///< of the board `number`
  };
  Kind kind{};
  std::string key{};
  std::int64_t number = 0;
  std::size_t most = kAll;
};
struct StoredAutomation {
  core::Automation automation;  ///< without the name of its board
  core::BoardId board = 0;
};
/// Records of several kinds: the answer to a query, or what is to be stored.
struct Records {
  std::vector<std::pair<core::RunId, core::RunGuard>> guards{};
  std::vector<StoredAutomation> automations{};
  std::vector<Token> tokens{};
  std::vector<std::pair<std::string, Remembered>> remembered{};
  std::vector<std::pair<std::string, std::string>> settings{};
  std::vector<Settling> settling{};
};

}  // namespace andon::store::engine
