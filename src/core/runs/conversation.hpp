#pragma once

#include <span>

#include "core/model/run.hpp"
#include "core/model/worker.hpp"

namespace andon::core {

/// The key of a conversation: a worker's about one task, or on one board.
struct SessionKey {
  Conversation wish = Conversation::fresh;
  std::string_view worker;
  std::string_view board;
  TaskId task = 0;
};

/// The earlier run whose conversation is resumed, or null for a fresh start. `runs` are in the order in which
/// they were opened. It is the last run that began, if it reported its session; a run that could not resume
/// reports none. A resumed conversation that failed is given up, and one that a person uses has to wait.
Run const* to_continue(std::span<Run const> runs, SessionKey const& talk);

/// The total usage of the runs of a session.
Usage used_in(std::span<Run const> runs, SessionKey const& talk, std::string_view session);

}  // namespace andon::core
