#pragma once

#include <string>

#include "core/boards/wip.hpp"
#include "core/model/board.hpp"
#include "core/model/task.hpp"

namespace andon::core {

/// A task on its way from what it was to what it becomes.
struct Change {
  Change(Task const& task, Board const& on_board) : before(task), after(task), board(on_board) {}
  Change(Task&& task, Board const& on_board) : before(std::move(task)), after(before), board(on_board) {}

  Task before;
  Task after;
  Board const& board;
  std::string body{};  ///< new body, stored only when `has_body`
  bool has_body = false;
  bool forced = false;     ///< a live claim of somebody else was overridden
  bool by_holder = false;  ///< the caller holds the task; its writes renew a self-reported claim
  bool moved = false;      ///< it entered another column; a column's new name moves nothing
  Column const* exceeded =
      nullptr;  ///< the column whose limit the change exceeds, when nobody can be refused
};

/// Puts the task into a column: stage, timestamps. Does not check any rule.
void place(Change& change, Column const& column, Instant now);
/// Puts the task where `stage` lands on its board; it stays where it is when the board has no place for it.
void place(Change& change, Stage stage, Instant now);

/// The marks of a task that somebody moved: the blocked column blocks it, for a reason that may be empty,
/// another one unblocks it, and the backlog voids its approval.
void follow_column(Change& change, std::string const& reason);

/// Refuses a caller's act that would bring the task into a full column, or over the limit of its class.
Result<void> check_room(Change const& change, Load const& load, Column const& column);
/// Like `check_room` above, for the column in which the task was placed.
Result<void> check_room(Change const& change, Load const& load);
/// Like `check_room` above, for the board's column for `stage`.
Result<void> check_room(Change const& change, Load const& load, Stage stage);

/// Puts the task where the engine's own act leads: a recovery, a retry, the end of a run. Such an act cannot
/// be refused and no task may get lost, so work that finds the ready column full waits, approved, in the
/// backlog stage until there is room; anywhere else it enters, and `exceeded` names the column.
void place_or_queue(Change& change, Load const& load, Column const& column, Instant now);
void place_or_queue(Change& change, Load const& load, Stage stage, Instant now);

}  // namespace andon::core
