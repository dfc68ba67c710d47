#pragma once

#include "service/tasks/reactions/order.hpp"

namespace andon::service {

/// Approved tasks that wait in the backlog stage enter a limited ready column when a task has left it, in
/// pick order; so many as one unit of work can take.
void order_filling(OperationContext& ctx, Change const& change, Orders& orders);
Step fill_ready(OperationContext& ctx, Order const& order);

}  // namespace andon::service
