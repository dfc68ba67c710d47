#include "store/engine/derived.hpp"

#include <algorithm>
#include <limits>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "core/tasks/pick.hpp"

namespace andon::store::engine {

int rank_of_column(core::Board const& board, std::string_view status) {
  auto const at = std::ranges::find(board.columns, status, &core::Column::name);
  return at == board.columns.end() ? std::numeric_limits<int>::max()
                                   : static_cast<int>(at - board.columns.begin());
}

bool holds_files(core::Task const& task) {
  return !task.touches.empty() && !core::is_terminal(task.stage) &&
         (core::is_in_work(task.stage) || !task.claimed_by.empty());
}

Derived derive(core::Board const& board, core::Task const& task) {
  Derived out;
  if (auto const from = core::pickable_from(task)) {
    out.available = *from == core::Instant{} ? 1 : 2;
    if (out.available == 2) out.available_at = from;
  }
  out.holds_files = holds_files(task);
  out.column_rank = rank_of_column(board, task.status);
  out.queue_key = core::queue_key(board, task);
  auto const key = core::pick_key(board, task);
  out.class_rank = key.class_rank;
  out.pick_due = key.due;
  out.priority_rank = key.priority_rank;
  return out;
}

}  // namespace andon::store::engine
