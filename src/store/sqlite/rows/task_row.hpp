#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Columns that core derives from a task and its board.
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
/// Whether the task keeps tasks that touch one of its files from being picked.
bool holds_files(core::Task const& task);
Derived derive(core::Board const& board, core::Task const& task);

/// The position of the column on the board; an unknown column comes last.
int rank_of_column(core::Board const& board, std::string_view status);

core::BoardId board_in_row(Statement const& row);
/// Reads the task of a row, without its body. The name of its board comes from `board`.
void read_task(Statement const& row, core::Board const& board, core::Task& task);
/// The time from which a row that is marked pickable may be picked.
core::Instant pickable_at(Statement const& row);

/// Binds `$1…$45` of `task_add` and `task_put`, or those that `task_move` uses. `bind_details` binds `$46`,
/// the details.
void bind_task(Statement& statement, core::Task const& task, core::BoardId board, Derived const& derived);
void bind_details(Statement& statement, core::Task const& task);

/// The part of a row that a change touches.
enum class UpdateScope { nothing, renewal, moving, whole };
UpdateScope extent(core::Task const& before, core::Task const& after);

}  // namespace andon::store::sqlite
