#pragma once

#include "core/model/board.hpp"
#include "service/requests.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/card.hpp"

namespace andon::service {

struct SnapshotRequest {
  std::string board;
  std::optional<int> done;
  std::optional<int> column_max;
};
void describe(auto& field, SnapshotRequest const*) {
  field(&SnapshotRequest::board, "board", "Board by name or number", core::required);
  field(&SnapshotRequest::done, "done", "Most finished tasks, newest first; 50 when left out");
  field(&SnapshotRequest::column_max, "column_max", "Most tasks of each other column; 500 when left out");
}

/// The cursor to the rest of a column, and the number of all its tasks.
struct MoreTasks {
  std::string cursor;
  std::int64_t total = 0;
};
void describe(auto& field, MoreTasks const*) {
  field(&MoreTasks::cursor, "cursor", "For the next page", core::always);
  field(&MoreTasks::total, "total", "All tasks of the column", core::always);
}

/// The actor that stopped the line, and the time.
struct StoppedLine {
  std::string by;
  std::optional<core::Instant> since;
};
void describe(auto& field, StoppedLine const*) {
  field(&StoppedLine::by, "by", "Who stopped it");
  field(&StoppedLine::since, "since", "When that was");
}

struct DispatchLight {
  bool paused = false;
  std::optional<StoppedLine> stopped;  ///< while the agents of the board are frozen
};
void describe(auto& field, DispatchLight const*) {
  field(&DispatchLight::paused, "paused", "Whether idle workers pick nothing", core::always);
  field(&DispatchLight::stopped, "stopped", "Who froze all agents of the board, while they are");
}

/// Everything a board view needs, and the place in the history it is true at.
struct Snapshot {
  int v = 1;
  std::string epoch;  ///< incarnation of the data, filled in by the executor's side
  core::EventSeq seq = 0;
  core::Instant server_time{};
  std::string build;
  core::Board board;
  std::vector<core::Worker> workers;
  DispatchLight dispatch;
  std::vector<Card> tasks;
  std::map<std::string, MoreTasks> more;
};
void describe(auto& field, Snapshot const*) {
  field(&Snapshot::v, "v", "Version of this shape", core::always);
  field(&Snapshot::epoch, "epoch", "Incarnation of the data", core::always);
  field(&Snapshot::seq, "seq", "The last event it contains", core::always);
  field(&Snapshot::server_time, "server_time", "The server's time", core::always);
  field(&Snapshot::build, "build", "Build of the server", core::always);
  field(&Snapshot::board, "board", "The board", core::always);
  field(&Snapshot::workers, "workers", "The workers with their lights", core::always);
  field(&Snapshot::dispatch, "dispatch", "Whether dispatch is paused", core::always);
  field(&Snapshot::tasks, "tasks", "The cards", core::always);
  field(&Snapshot::more, "more", "Columns that have more tasks", core::always);
}

DispatchLight dispatch_light(OperationContext& ctx, core::Board const& board);
/// Nothing where no board has the name.
std::optional<DispatchLight> dispatch_light_of(OperationContext& ctx, std::string_view board);

core::Result<Snapshot> snapshot(OperationContext& ctx, SnapshotRequest const& request);

/// The cause of a card's change, for sounds, toasts and announcements.
struct Why {
  std::string kind;
  std::string by;
  std::string m;
};
void describe(auto& field, Why const*) {
  field(&Why::kind, "kind");
  field(&Why::by, "by");
  field(&Why::m, "m");
}

struct TouchedTask {
  core::TaskId id = 0;
  core::Revision rev = 0;
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
  core::EventSeq from = 0;  ///< first event covered
  core::EventSeq to = 0;    ///< last event covered
  bool too_many = false;    ///< more than can be replayed: take a snapshot
  std::vector<BoardChanges> boards;
  std::vector<std::string> workers;  ///< names of those that were added, edited or removed
  bool dispatch_changed = false;
  bool dispatch_paused = false;
};

/// The names of the asked boards, each once; without any, of all that the caller may see.
core::Result<std::vector<std::string>> boards_to_follow(OperationContext& ctx,
                                                        std::vector<std::string> const& asked);

/// Collects what happened after `since` on those boards (all boards when empty), at most `most` events.
Changes changes_since(OperationContext& ctx, core::EventSeq since, std::vector<std::string> const& boards,
                      std::size_t most);

}  // namespace andon::service
