#pragma once

#include "core/error.hpp"

namespace andon::core {

struct Board;
struct Column;
struct Load;
struct Task;

/// Refuses a task entering `column` when the column is full (unless its class may bypass that), entering a
/// class that has reached its own limit on the board, or leaving the backlog while others of its class reach
/// that limit; what was started goes on. `before` is the task as
/// counted in `load`, or null for a new one.
Result<void> check_wip(Board const& board, Load const& load, Column const& column, Task const& task,
                       Task const* before);
/// The class part alone, for a change of class that keeps the column.
Result<void> check_class_wip(Board const& board, Load const& load, Task const& task, Task const* before);

/// Whether a column has a limit and has reached it.
bool is_full(Column const& column, Load const& load);

}  // namespace andon::core
