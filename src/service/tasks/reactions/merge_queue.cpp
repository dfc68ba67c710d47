#include "service/tasks/reactions/merge_queue.hpp"

#include "service/tasks/kernel/unmerged_work.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {

void order_landing(OperationContext& /*ctx*/, Change const& change, Orders& orders) {
  auto const &before = change.before, &after = change.after;
  bool const was_done = core::is_done(before.stage);
  bool const is_done = core::is_done(after.stage);
  if (is_done && !was_done) orders.push_back({Reaction::queue_landing, after.id});
  bool const waited = core::is_held_by_engine(before) && !core::is_held_by_engine(after);
  if ((was_done && !core::is_terminal(after.stage)) || (waited && !is_done))
    orders.push_back({Reaction::withdraw_landing, after.id});
}

Step enter_merge_queue(OperationContext& ctx, Order const& order) {
  if (auto const task = ctx.tx.task(order.task)) queue_landing(ctx, *task);
  return {};
}

Step leave_merge_queue(OperationContext& ctx, Order const& order) {
  if (auto const task = ctx.tx.task(order.task)) withdraw_landing(ctx, *task);
  return {};
}

}  // namespace andon::service
