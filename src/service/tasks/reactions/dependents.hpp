#pragma once

#include "service/tasks/reactions/order.hpp"

namespace andon::service {

/// Tasks that depend on one that is satisfied now, or no more, count their open dependencies again.
void order_recounts(OperationContext& ctx, Change const& change, Orders& orders);
Step recount_dependencies(OperationContext& ctx, Order const& order);

}  // namespace andon::service
