#pragma once

#include "service/requests.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/card.hpp"

namespace andon::service {

struct SnapshotRequest {
  std::string board;
  std::optional<int> done;
  std::optional<int> column_max;
};
BOOST_DESCRIBE_STRUCT(SnapshotRequest, (), (board, done, column_max))
inline constexpr std::array kSnapshotFields{
    core::Field{"board", "Board by name or number", core::required},
    core::Field{"done", "Most finished tasks, newest first; 50 when left out"},
    core::Field{"column_max", "Most tasks of each other column; 500 when left out"}};
constexpr auto const& fields(SnapshotRequest const*) { return kSnapshotFields; }

/// The cursor to the rest of a column, and the number of all its tasks.
struct MoreTasks {
  std::string cursor;
  std::int64_t total = 0;
};
BOOST_DESCRIBE_STRUCT(MoreTasks, (), (cursor, total))
inline constexpr std::array kMoreTasksFields{core::Field{"cursor", "For the next page", core::always},
                                             core::Field{"total", "All tasks of the column", core::always}};
constexpr auto const& fields(MoreTasks const*) { return kMoreTasksFields; }

/// The actor that stopped the line, and the time.
struct StoppedLine {
  std::string by;
  std::optional<core::Instant> since;
};
BOOST_DESCRIBE_STRUCT(StoppedLine, (), (by, since))
inline constexpr std::array kStoppedLineFields{core::Field{"by", "Who stopped it"},
                                               core::Field{"since", "When that was"}};
constexpr auto const& fields(StoppedLine const*) { return kStoppedLineFields; }

struct DispatchLight {
  bool paused = false;
  std::optional<StoppedLine> stopped;  ///< while the agents of the board are frozen
};
BOOST_DESCRIBE_STRUCT(DispatchLight, (), (paused, stopped))
inline constexpr std::array kDispatchLightFields{
    core::Field{"paused", "Whether idle workers pick nothing", core::always},
    core::Field{"stopped", "Who froze all agents of the board, while they are"}};
constexpr auto const& fields(DispatchLight const*) { return kDispatchLightFields; }

/// Everything a board view needs, and the place in the history it is true at.
struct Snapshot {
  int v = 1;
  std::string epoch;  ///< incarnation of the data, filled in by the executor's side
  std::int64_t seq = 0;
  core::Instant server_time{};
  std::string build;
  core::Board board;
  std::vector<core::Worker> workers;
  DispatchLight dispatch;
  std::vector<Card> tasks;
  std::map<std::string, MoreTasks> more;
};
BOOST_DESCRIBE_STRUCT(Snapshot, (),
                      (v, epoch, seq, server_time, build, board, workers, dispatch, tasks, more))
inline constexpr std::array kSnapshotAnswerFields{
    core::Field{"v", "Version of this shape", core::always},
    core::Field{"epoch", "Incarnation of the data", core::always},
    core::Field{"seq", "The last event it contains", core::always},
    core::Field{"server_time", "The server's time", core::always},
    core::Field{"build", "Build of the server", core::always},
    core::Field{"board", "The board", core::always},
    core::Field{"workers", "The workers with their lights", core::always},
    core::Field{"dispatch", "Whether dispatch is paused", core::always},
    core::Field{"tasks", "The cards", core::always},
    core::Field{"more", "Columns that have more tasks", core::always}};
constexpr auto const& fields(Snapshot const*) { return kSnapshotAnswerFields; }

DispatchLight dispatch_light(OperationContext& ctx, core::Board const& board);

core::Result<Snapshot> snapshot(OperationContext& ctx, SnapshotRequest const& request);

/// The cause of a card's change, for sounds, toasts and announcements.
struct Why {
  std::string kind;
  std::string by;
  std::string m;
};
BOOST_DESCRIBE_STRUCT(Why, (), (kind, by, m))

struct TouchedTask {
  core::TaskId id = 0;
  std::int64_t rev = 0;
  bool gone = false;  ///< no longer on the board
  Card card;
  Why why;
};

/// The changes after a place in the history: one entry for each task, in its present state.
struct BoardChanges {
  std::string board;
  std::vector<TouchedTask> tasks;
  std::optional<core::Board> counts;  ///< the board with its counts, when a task changed
  bool board_edited = false;
};

struct Changes {
  std::int64_t from = 0;  ///< first event covered
  std::int64_t to = 0;    ///< last event covered
  bool too_many = false;  ///< more than can be replayed: take a snapshot
  std::vector<BoardChanges> boards;
  std::vector<std::string> workers;  ///< names of those that were added, edited or removed
  bool dispatch_changed = false;
  bool dispatch_paused = false;
};

/// Collects what happened after `since` on those boards (all boards when empty), at most `most` events.
Changes changes_since(OperationContext& ctx, std::int64_t since, std::vector<std::string> const& boards,
                      std::size_t most);

}  // namespace andon::service
