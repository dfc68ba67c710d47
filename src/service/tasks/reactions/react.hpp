#pragma once

#include <span>
#include <string_view>

#include "service/tasks/reactions/order.hpp"

namespace andon::service {

/// One kind of reaction. The words are those of docs/reference/lifecycle.md.
struct ReactionRow {
  void (*order)(OperationContext& ctx, Change const& change, Orders& orders);
  std::string_view when;  ///< the change of a task
  std::string_view then;  ///< the reaction
};
std::span<ReactionRow const> reaction_rows();

/// Carries out everything that follows from a written change, in the same transaction.
void react(OperationContext& ctx, Change const& change);
/// Carries out an order and everything that follows from it. The steps of the first order that were done.
std::size_t react(OperationContext& ctx, Order const& order);

}  // namespace andon::service
