#pragma once

#include "service/tasks/reactions/order.hpp"

namespace andon::service {

/// A finished task's chain (its own `next_tasks`, else its board's rule for its role) becomes tasks, in the
/// transaction that finished it and never twice. A rule of the board asks no role that has judged the work.
/// `{{parent.id}}`, `{{parent.key}}`, `{{parent.title}}`, `{{parent.result}}`, `{{parent.branch}}` and
/// `{{parent.commits}}` are filled in.
void order_chain(OperationContext& ctx, Change const& change, Orders& orders);
/// Adds the next task of the chain.
Step add_next(OperationContext& ctx, Order const& order);

}  // namespace andon::service
