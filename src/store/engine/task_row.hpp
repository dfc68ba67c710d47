#pragma once

#include <optional>
#include <string>

#include "core/model/board.hpp"
#include "core/model/task.hpp"

namespace andon::store::engine {

/// A task as a session reads it. A session knows no names of boards, so `task.board` is empty.
struct TaskRow {
  core::Task task;
  core::BoardId board = 0;
  std::optional<core::Instant> pickable_at{};
  std::string queue_key{};
};

}  // namespace andon::store::engine
