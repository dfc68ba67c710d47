#include "service/tasks/reactions/ready_column.hpp"

#include "service/tasks/kernel/waiting.hpp"
#include "store/contract/query.hpp"

namespace andon::service {

void order_filling(OperationContext& /*ctx*/, Change const& change, Orders& orders) {
  if (!core::is_ready(change.before.stage) || change.before.status == change.after.status) return;
  auto const* column = core::find_column(change.board, change.before.status);
  if (column && column->wip_limit > 0) orders.push_back({Reaction::fill_ready, 0, &change.board});
}

Step fill_ready(OperationContext& ctx, Order const& order) {
  if (order.done == store::kMostAtOnce) return {};
  auto change = next_for_ready(ctx, *order.board);
  if (!change) return {};
  write(ctx, *change, core::EventKind::task_moved, {{"reason", "there is room in " + change->after.status}});
  return {std::move(change), true};
}

}  // namespace andon::service
