#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/boards/load.hpp"
#include "core/tasks/change.hpp"
#include "core/tasks/verbs.hpp"

namespace andon::core {

/// The facts that decide about a verb, read before it is decided.
struct Situation {
  Load load;  ///< of the task's board
  Instant now{};
  double jitter = 0.5;        ///< uniform in [0, 1)
  std::string caller{};       ///< the name under which the caller holds claims
  bool is_agent = false;      ///< the caller is a worker or its run
  bool is_run = false;        ///< the caller is a run
  bool has_live_run = false;  ///< an agent that Andon started for the task has not ended
  bool lacks_brief = false;   ///< its board asks for a brief, and it has none
  std::vector<TaskId> open_dependencies{};
};

/// The words of the caller.
struct VerbInput {
  std::string reason{};
  std::string result{};
  std::string no_change{};             ///< why a run's work needed no change
  std::vector<std::string> choices{};  ///< answers to the question of a run
  std::string question{};              ///< that an answer is meant for; empty for any
  Column const* column = nullptr;      ///< for `Target::given`
  std::optional<Question> asks{};      ///< what a blocked task waits for
  std::string held_as{};               ///< the name of the claim; the caller's own when empty
  Duration lease{};                    ///< of a new claim; 0 never ends
  bool has_epoch = false;              ///< the caller proved the claim by its number
  bool force = false;                  ///< limits and claims of others do not refuse it
};

/// Refuses a verb in a stage that does not have it, on a board with that workflow.
Result<void> check_stage(Verb verb, Stage stage, Workflow workflow);

/// Refuses a verb that a run may not use.
Result<void> check_caller(Verb verb, Situation const& situation);

/// True when the task is in the state that the verb leads to, so that nothing is left to be done.
bool is_idle(Verb verb, Change const& change, Situation const& situation);

/// Refuses what the row of the verb refuses before it changes anything.
Result<void> check_guards(Verb verb, Change const& change, Situation const& situation,
                          VerbInput const& input);

/// Changes the task as the row of the verb says, and returns the event of it. With `Entry::queued` nothing is
/// refused, as for the acts of the engine; the row's own entry is `row(verb).entry`.
EventKind apply(Verb verb, Change& change, Situation const& situation, VerbInput const& input, Entry entry);

/// Keeps what the caller said, while the verb itself waits until the agent has been stopped.
void keep_at_once(Verb verb, Change& change, VerbInput const& input);

/// Refuses a change that brings the task into a full column, or work without approval into work.
Result<void> check_entry(Change const& change, Situation const& situation, VerbInput const& input);

/// Refuses `APPROVAL_REQUIRED` for an agent's act that brings a task without approval into work or to its
/// end.
Result<void> check_approved(Board const& board, Task const& task, Stage to);
/// Refuses `DEPENDENCY_OPEN`, naming what the task waits for.
Result<void> check_dependencies_closed(Task const& task, std::vector<TaskId> const& open);
/// True when an approved task must wait in the backlog stage: on a strict board for its dependencies and for
/// its brief.
bool must_wait(Board const& board, Task const& task, bool lacks_brief);
bool is_blocked(Task const& task);

}  // namespace andon::core
