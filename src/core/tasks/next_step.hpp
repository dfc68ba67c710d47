#pragma once

#include <array>
#include <string_view>

#include "core/model/stage.hpp"

namespace andon::core {

/// The party that makes the next step of an open task.
enum class NextStepOwner {
  nobody,     ///< a defect of Andon: the task would stand for ever
  run,        ///< a live run
  queue,      ///< its work has a place in the queue to be landed or taken back
  timer,      ///< a time that comes by itself: a back-off, the end of a claim
  task,       ///< another task must end first
  admission,  ///< it is to be picked, as soon as workers, limits and the machine allow that
  holder,     ///< a person or an agent that Andon did not start holds it
  person      ///< a person is asked, or put it where it is
};
inline constexpr std::array<std::string_view, 8> kNextStepOwnerNames{
    "nobody", "run", "queue", "timer", "task", "admission", "holder", "person"};
constexpr auto const& wire_names(NextStepOwner) { return kNextStepOwnerNames; }
constexpr std::string_view to_text(NextStepOwner owner) {
  return kNextStepOwnerNames[static_cast<std::size_t>(owner)];
}

/// The facts about an open task that decide who makes its next step.
struct NextStepFacts {
  Stage stage = Stage::backlog;
  bool blocked = false;
  bool runs = false;                ///< it has a live run
  bool queued = false;              ///< a run of it stands in the queue to be landed or taken back
  bool asks = false;                ///< it is a row of the list that waits for a person
  bool reported = false;            ///< a report of its agent has not taken effect
  bool stopping = false;            ///< its agent is being stopped
  bool supervised = false;          ///< its claim belongs to a run
  bool claimed = false;             ///< somebody holds it
  bool claim_over = false;          ///< somebody held it, and the claim has ended by its time
  bool is_judged = false;           ///< an open task is to give the verdict on it
  bool waits_for_task = false;      ///< a dependency is open, or its work has not landed
  bool waits_until = false;         ///< its `not_before` has not passed
  bool left_in_work = false;        ///< its last run ended while it was in this column
  bool is_picked_anywhere = false;  ///< the board is open: picks take tasks of every column
};

NextStepOwner next_step_of(NextStepFacts const& facts);

}  // namespace andon::core
