#pragma once

#include <optional>
#include <string>

#include "core/model/task.hpp"

namespace andon::store::engine {

/// A task as a session reads it: without its body and without the name of its board.
struct TaskRow {
  core::Task task;
  core::BoardId board = 0;
  std::optional<core::Instant> pickable_at{};  ///< the time for which the task was put aside
  std::string queue_key{};
};

}  // namespace andon::store::engine
