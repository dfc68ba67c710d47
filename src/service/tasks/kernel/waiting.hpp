#pragma once

#include "service/tasks/kernel/change.hpp"

namespace andon::service {

/// Whether the board asks for a brief that the task does not have.
bool lacks_brief(OperationContext& ctx, core::Board const& board, core::Task const& task);
/// Whether an approved task must still wait in the backlog stage: on a strict board for its dependencies and,
/// where the board asks for one, for its brief.
bool must_wait(OperationContext& ctx, core::Board const& board, core::Task const& task);

/// An approved task in the backlog stage goes to ready when nothing of its own holds it back any more and the
/// column has room.
void promote_if_ready(OperationContext& ctx, Change& change);

/// The next approved task of the backlog stage for which the ready column has room, in pick order, moved
/// there; it is not written yet.
std::optional<Change> next_for_ready(OperationContext& ctx, core::Board const& board);

}  // namespace andon::service
