#pragma once

#include "service/tasks/reactions/order.hpp"

namespace andon::service {

/// A parent tells the progress of its sub-tasks when it has changed, and is done with the last of them if it
/// asks for that.
void order_progress(OperationContext& ctx, Change const& change, Orders& orders);
Step update_parent(OperationContext& ctx, Order const& order);

}  // namespace andon::service
