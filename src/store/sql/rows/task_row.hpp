#pragma once

#include <string_view>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "store/engine/derived.hpp"
#include "store/engine/task_row.hpp"
#include "store/sql/database/connection.hpp"

namespace andon::store::sql {

using engine::Derived;

/// The number of columns that `row_in` reads.
inline constexpr int kTaskColumnCount = 40;
/// Reads the task of a row.
engine::TaskRow row_in(Statement const& row);
/// Reads the tasks of all rows.
std::vector<engine::TaskRow> rows_in(Statement rows);

/// Binds `$1…$45` of `task_add` and `task_put`, or those that `task_move` uses. `bind_details` binds `$46`,
/// the details.
void bind_task(Statement& statement, core::Task const& task, core::BoardId board, Derived const& derived);
void bind_details(Statement& statement, core::Task const& task);

/// The part of a row that a change touches.
enum class UpdateScope { nothing, renewal, moving, whole };
UpdateScope extent(core::Task const& before, core::Task const& after);

}  // namespace andon::store::sql
