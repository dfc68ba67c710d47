#pragma once

#include "service/tasks/change.hpp"

namespace andon::service {

/// Turns a finished task's chain (its own `next_tasks`, else its board's rule for its role) into tasks, in
/// the transaction that finished it and never twice. A rule of the board asks no role that has judged the
/// work. `{{parent.id}}`, `{{parent.key}}`, `{{parent.title}}`,
/// `{{parent.result}}`, `{{parent.branch}}` and `{{parent.commits}}` are filled in.
void fire_chain(OperationContext& ctx, core::Task const& parent, core::Board const& board);

}  // namespace andon::service
