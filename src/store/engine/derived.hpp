#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/time/time.hpp"

namespace andon::core {
struct Board;
struct Task;
}  // namespace andon::core

namespace andon::store::engine {

/// Columns of a task that core derives from the task and its board.
struct Derived {
  int available = 0;  ///< 0 not pickable, 1 pickable, 2 pickable from `available_at`
  std::optional<core::Instant> available_at;
  bool holds_files = false;
  int column_rank = 0;
  std::string queue_key;
  int class_rank = 0;
  int pick_due = 0;
  int priority_rank = 0;
  bool operator==(Derived const&) const = default;
};
/// True when the task keeps tasks that touch one of its files from being picked.
bool holds_files(core::Task const& task);
Derived derive(core::Board const& board, core::Task const& task);

/// The position of the column on the board; an unknown column comes last.
int rank_of_column(core::Board const& board, std::string_view status);

}  // namespace andon::store::engine
