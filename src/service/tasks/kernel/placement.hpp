#pragma once

#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {

// The placement of core/tasks/change.hpp, with the load of the task's board.

template <class Place>
core::Result<void> check_room(OperationContext& ctx, Change const& change, Place const& place) {
  return core::check_room(change, ctx.tx.load(change.board.id), place);
}
inline core::Result<void> check_room(OperationContext& ctx, Change const& change) {
  return core::check_room(change, ctx.tx.load(change.board.id));
}
template <class Place>
void place_or_queue(OperationContext& ctx, Change& change, Place const& place) {
  core::place_or_queue(change, ctx.tx.load(change.board.id), place, ctx.now);
}

}  // namespace andon::service
