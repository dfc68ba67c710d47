#pragma once

#include "service/tasks/change.hpp"

namespace andon::service {

/// Whether an approved task must still wait in the backlog stage: on a strict board for its dependencies and,
/// where the board asks for one, for its brief.
bool must_wait(OperationContext& ctx, core::Board const& board, core::Task const& task);

/// An approved task in the backlog stage goes to ready when nothing of its own holds it back any more and the
/// column has room.
void promote_if_ready(OperationContext& ctx, Change& change);

/// Gives room in the ready column to approved tasks that wait in the backlog stage, in pick order; to so many
/// as one unit of work can take. True when there is room for more.
bool fill_ready(OperationContext& ctx, core::Board const& board);

}  // namespace andon::service
