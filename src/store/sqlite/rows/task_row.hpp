#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Columns that core derives from a task, its board and its worker.
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
/// Whether nobody else gets a task that touches those files.
bool holds_files(core::Task const& task);
Derived derive(core::Board const& board, core::Task const& task);

/// Where the column stands on the board; unknown ones come last.
int rank_of_column(core::Board const& board, std::string_view status);

core::BoardId board_in_row(Statement const& row);
/// The task of a row without its body; its board's name comes from `board`.
void read_task(Statement const& row, core::Board const& board, core::Task& task);
/// When a row that is marked pickable may be picked.
core::Instant pickable_at(Statement const& row);

/// Binds `$1…$46` of `task_add` and `task_put`, or as many as `task_move` uses of them; `$46`, the details,
/// alone is bound by `bind_details`.
void bind_task(Statement& statement, core::Task const& task, core::BoardId board, Derived const& derived);
void bind_details(Statement& statement, core::Task const& task);

/// How much of a row a change touches.
enum class UpdateScope { nothing, renewal, moving, whole };
UpdateScope extent(core::Task const& before, core::Task const& after);

}  // namespace andon::store::sqlite
