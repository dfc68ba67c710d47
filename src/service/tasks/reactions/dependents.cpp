#include "service/tasks/reactions/dependents.hpp"

#include "service/tasks/kernel/dependencies.hpp"
#include "service/tasks/kernel/waiting.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {

void order_recounts(OperationContext& ctx, Change const& change, Orders& orders) {
  if (core::is_terminal(change.before.stage) == core::is_terminal(change.after.stage)) return;
  for (auto const id : ctx.tx.dependents(change.after.id))
    orders.push_back({Reaction::recount_dependencies, id});
}

Step recount_dependencies(OperationContext& ctx, Order const& order) {
  auto change = load_change(ctx, order.task);
  if (!change) return {};
  auto& open = change->after.state.open_deps;
  open = count_open_dependencies(ctx, change->after);
  if (open == change->before.state.open_deps) return {};
  promote_if_ready(ctx, *change);
  write(ctx, *change, core::EventKind::task_edited, {{"open_deps", std::to_string(open)}});
  return {std::move(change)};
}

}  // namespace andon::service
