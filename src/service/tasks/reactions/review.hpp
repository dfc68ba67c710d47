#pragma once

#include "service/tasks/reactions/order.hpp"

namespace andon::service {

/// On a board with `review_by: role:NAME`: a task that enters review gets a review task for that role, unless
/// one is open, and the open one is closed when the task leaves review.
void order_review(OperationContext& ctx, Change const& change, Orders& orders);
Step ask_for_review(OperationContext& ctx, Order const& order);
/// The review task of the reviewer who gave the verdict is done, one that nobody has begun is archived, and
/// one in work ends by itself.
Step close_review(OperationContext& ctx, Order const& order);
/// A review that ended without a verdict leaves it to a person.
Step flag_undecided(OperationContext& ctx, Order const& order);

}  // namespace andon::service
