#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/actor.hpp"
#include "core/id.hpp"
#include "core/time/time.hpp"

namespace andon::core {

enum class EventKind {
  task_created,
  task_edited,
  task_moved,
  task_claimed,
  task_renewed,
  task_released,
  task_started,
  task_blocked,
  task_unblocked,
  task_noted,
  task_approved,
  task_submitted,
  task_accepted,
  task_rejected,
  task_completed,
  task_failed,
  task_retried,
  task_killed,
  task_archived,
  task_deleted,
  run_started,
  run_adopted,
  run_ended,
  worker_changed,
  board_changed,
  dispatch_changed,
  automation_fired,
  limit_reached,
  limit_lifted,
  task_answered,
  task_asked,
};

inline constexpr std::array<std::string_view, 31> kEventKindNames{
    "task.created",     "task.edited",      "task.moved",    "task.claimed",   "task.renewed",
    "task.released",    "task.started",     "task.blocked",  "task.unblocked", "task.noted",
    "task.approved",    "task.submitted",   "task.accepted", "task.rejected",  "task.completed",
    "task.failed",      "task.retried",     "task.killed",   "task.archived",  "task.deleted",
    "run.started",      "run.adopted",      "run.ended",     "worker.changed", "board.changed",
    "dispatch.changed", "automation.fired", "limit.reached", "limit.lifted",   "task.answered",
    "task.asked"};

constexpr auto const& wire_names(EventKind) { return kEventKindNames; }

/// One entry of the store's ordered, gap-free history.
struct Event {
  EventSeq seq = 0;
  Instant ts{};
  Actor actor;
  EventKind kind{};
  std::string board;
  std::optional<TaskId> task;
  std::optional<RunId> run;
  std::string from;      ///< status before
  std::string to;        ///< status after
  std::string data;      ///< a JSON object, or empty
  std::string mutation;  ///< the client's mutation id, echoed so that the author's tab knows its own act
};

}  // namespace andon::core
