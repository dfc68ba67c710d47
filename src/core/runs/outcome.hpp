#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/run.hpp"

namespace andon::core {

/// The facts about a run after its last process has ended.
struct Ending {
  std::optional<StopReason> stopped_because;
  std::optional<AgentReport> said;  ///< what the agent said on the board
  bool has_result = false;          ///< the agent's program gave a final result …
  bool result_is_error = false;
  std::string result_text;
  std::string unfinished;  ///< the work that its program began and did not end, as a sentence
  Exit exit;
  std::string failed_check;   ///< the reason, when a check of the board failed
  bool has_evidence = false;  ///< commits, a passed check or text that says what was done
  bool owes_verdict = false;  ///< its task is a review, and the work has no verdict yet
  bool owes_plan = false;     ///< it was to write a plan, and wrote none
};

struct Judgement {
  Outcome outcome;
  std::string reason;
  bool is_unfinished = false;  ///< it said success with work of its program open, and nothing else is wrong
};

/// Decides how a run ended, in this order: our own reason, what the agent said on the board, its program's
/// final result, the wait status. Exit codes and final results both lie, so success needs evidence, and a
/// failed check outweighs the word that the work is done. Neither the word nor a final result is success
/// while work that the program began is unfinished. A review without its verdict is a failed attempt.
Judgement judge(Ending const& ending);

/// The reason that the first failed check gives, with the end of its output; nothing when none failed.
std::optional<std::string> failed_check(std::vector<CheckResult> const& results);
/// Whether there are results, all passed and every wanted check among them.
bool are_green(std::vector<std::string> const& wanted, std::vector<CheckResult> const& results);

}  // namespace andon::core
