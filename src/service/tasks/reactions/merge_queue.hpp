#pragma once

#include "service/tasks/reactions/order.hpp"

namespace andon::service {

/// Finished work of work trees takes its place in the merge queue, and leaves it when it is taken up again.
void order_landing(OperationContext& ctx, Change const& change, Orders& orders);
Step enter_merge_queue(OperationContext& ctx, Order const& order);
Step leave_merge_queue(OperationContext& ctx, Order const& order);

}  // namespace andon::service
