#pragma once

#include <string>

#include "core/run.hpp"

namespace andon::core {

/// What is known when the last process of a run is gone.
struct Ending {
  std::string stopped_because;  ///< our own reason to stop it: killed, stale, timed_out, over_budget, lost,
                                ///< rate_limited, fatal
  std::string said;             ///< what the agent said on the board: done, handoff, block, fail
  bool has_result = false;      ///< the agent's program gave a final result …
  bool result_is_error = false;
  std::string result_text;
  Exit exit;
  bool has_evidence = false;  ///< commits, a passed check or text that says what was done
};

struct Judgement {
  Outcome outcome;
  std::string reason;
};

/// Decides how a run ended, in this order: our own reason, what the agent said on the board, its program's
/// final result, the wait status. Exit codes and final results both lie, so success needs evidence.
Judgement judge(Ending const& ending);

}  // namespace andon::core
