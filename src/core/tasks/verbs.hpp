#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/model/event.hpp"
#include "core/model/run.hpp"
#include "core/model/stage.hpp"
#include "core/model/task.hpp"
#include "core/model/verb.hpp"

namespace andon::core {

// The verbs of a task, one row each: the only description of what a verb needs and does. `apply` carries a
// row out; docs/reference/lifecycle.md is written from the rows.

/// The stages in which a verb may be used.
enum class From {
  any,    ///< its guards decide alone
  steps,  ///< those from which the strict machine has a step of that name
  work,   ///< like `steps` on a strict board, and every stage but the terminal ones on an open board
};

/// A further case in which a verb may be used.
enum class Also {
  nowhere,
  unread,             ///< a ready task that no person of this server has read
  ready,              ///< a ready task
  waiting_or_parked,  ///< a ready task that waits for its time, or one with the blocked mark
  blocked,            ///< a blocked task
};

/// A condition of a verb. Guards are asked in the order of the row, before anything changes.
enum class Guard {
  stage,               ///< the verb may be used in the stage of the task, see `From` and `Also`
  person,              ///< an agent may not use it
  no_verdict_awaits,   ///< work in review gets a verdict instead
  approved,            ///< an agent needs the approval of the task
  review_column,       ///< the board has a column for review
  held,                ///< the caller holds the task
  no_dependency,       ///< every dependency is done
  run_waits_for_none,  ///< a run may not report work that waits for other tasks
  something_to_end,    ///< there is an agent, a claim or work
  may_be_put_away,     ///< a strict board puts away what is not in work
  asks_something,      ///< it is blocked, or its run waits for an answer
  same_question,       ///< the answer is meant for the question that it asks now
  plan_judge,          ///< an agent may not judge a plan
  no_live_run,         ///< no agent that Andon started works on it
};

/// A change of the task. Effects take place in the order of the row, before the task goes to its target.
enum class Effect {
  approve,
  unapprove,
  begin_claim,  ///< for the name in the input, which counts as an attempt
  end_claim,
  end_agents_claim,  ///< a claim that a run holds
  keep_result,
  keep_new_result,  ///< a result that is left out stays as it was
  keep_failure,
  clear_failure,
  clear_not_before,
  clear_attempts,
  clear_remark,
  block,
  clear_block,
  take_answer,  ///< the question of a run is answered; a blocked task is unblocked
  accept_plan,
  return_plan,
  clear_plan_block,  ///< the blocked mark of a task whose plan waited
};

/// The place to which a verb leads.
enum class Target {
  stays,
  ready,
  ready_unless_waiting,  ///< it stays where an unread task is, or one that waits for others or for its brief
  ready_from_work,       ///< ready, if it was in work
  ready_from_plan,       ///< ready, if its plan waited in review or by the blocked mark
  ready_when_released,   ///< ready, if it was claimed; work in progress leaves its column on a strict board
                         ///< only
  claimed_from_ready,    ///< claimed, if it was ready and the board has such a column
  active,
  review,
  end_of_work,  ///< review if it needs a verdict, else done
  blocked,
  before_block,      ///< where it was before it was blocked; ready, if that was in work and its run has ended
  retry_or_failed,   ///< ready with back-off while attempts are left and the reason is new, else failed
  backlog_or_block,  ///< backlog; a board without one keeps it by the blocked mark
  done,
  archived,
  given,    ///< the column that the caller names
  by_hand,  ///< the column that the caller names; its blocked mark and its approval follow the column
};

/// How the target's column receives the task.
enum class Entry {
  checked,  ///< a full column, or a worker without capacity, refuses the act
  queued,   ///< nothing can be refused: it waits for room in the backlog stage, or exceeds the limit
};

/// The treatment of an agent that works on the task.
enum class Agent {
  goes_on,
  stops_first,  ///< it is stopped, and the verb takes effect when no process of it is left
};

/// The event's fact about the act.
enum class Tells { nothing, result, reason, title, holder, answer };

/// A short list in a row.
template <class Item>
class Few {
 public:
  template <class... Items>
  constexpr Few(Items... items) : items_{items...}, size_(sizeof...(items)) {}
  constexpr Item const* begin() const { return items_.data(); }
  constexpr Item const* end() const { return items_.data() + size_; }
  constexpr bool contains(Item item) const { return std::find(begin(), end(), item) != end(); }

 private:
  std::array<Item, 6> items_{};
  std::size_t size_ = 0;
};

struct VerbRow {
  Verb verb;
  From from = From::any;
  Also also = Also::nowhere;
  std::optional<Verb> steps_of{};  ///< the verb whose steps count, where that is another one
  Few<Guard> guards{};
  Few<Effect> effects{};
  Target to = Target::stays;
  Entry entry = Entry::checked;
  EventKind event = EventKind::task_edited;
  /// The event where the target was not reached: work that needs a verdict, an attempt that is repeated.
  EventKind otherwise = EventKind::task_edited;
  Tells tells = Tells::nothing;
  Agent agent = Agent::goes_on;
  std::string_view stop_reason{};       ///< of the agent's stop, where the caller gives none
  bool heeds_claims = false;            ///< refused while somebody else holds the task
  std::optional<AgentReport> report{};  ///< a run's use of it is a report on its own work
  std::string_view not_by_run{};        ///< a run may not do that; empty where it may
  std::string_view idle{};              ///< in the wanted state it does nothing, and this is said
  bool is_offered = false;              ///< told to people as possible or not
  std::optional<Verb> on_plan{};        ///< the verb in its place while a plan waits for a verdict
};

/// All rows, in the order of the enum.
std::span<VerbRow const> verb_rows();
VerbRow const& row(Verb verb);

/// The verb that a caller means by another one: while the plan of a task waits, a verdict is about the plan.
Verb meant_by(Verb verb, Task const& task);

/// One allowed step of the strict machine from a stage to another one.
struct Edge {
  Stage from;
  Verb verb;
  Stage to;
};

std::span<Edge const> edges();

/// True when the strict machine has a step between two different stages.
bool is_legal(Stage from, Stage to);
/// The stages the strict machine allows next, in stage order.
std::vector<Stage> targets(Stage from);

/// Refuses what the strict machine does not have, naming the legal targets.
Result<void> check_transition(Stage from, Stage to);
/// Refuses a verb that the stage does not have, naming the verbs it has.
Result<void> check_verb(Stage from, Verb verb);

}  // namespace andon::core
