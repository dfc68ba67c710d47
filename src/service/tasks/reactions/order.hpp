#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/tasks/kernel/change.hpp"

namespace andon::service {

/// The reactions to a change of a task, in the order in which they are carried out. react.cpp has their rows.
enum class Reaction {
  recount_dependencies,
  update_parent,
  fill_ready,
  queue_landing,
  withdraw_landing,
  add_next,
  flag_undecided,
  close_review,
  ask_for_review,
};

/// One thing to be done for a task because another one, or it itself, has changed.
struct Order {
  Reaction reaction;
  core::TaskId task = 0;
  core::Board const* board = nullptr;  ///< whose ready column is filled
  std::size_t done = 0;                ///< steps of this order that were carried out before
  std::string not_for{};               ///< the worker who may not review
};
using Orders = std::vector<Order>;

/// The outcome of one step of an order.
struct Step {
  std::optional<Change> change{};  ///< written; others react to it
  bool has_more = false;           ///< the order has a further step
};

}  // namespace andon::service
