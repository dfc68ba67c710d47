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

/// The earlier run whose conversation goes on, or null for a fresh start. `runs` are in the order they were
/// opened. It is the last one that began, if it told its session; one that could not be continued tells none.
/// A conversation that was continued and failed is given up, and one of a worker that somebody is in waits.
Run const* to_continue(std::span<Run const> runs, SessionKey const& talk);

/// The total usage of the runs of a session.
Usage used_in(std::span<Run const> runs, SessionKey const& talk, std::string_view session);

}  // namespace andon::core
