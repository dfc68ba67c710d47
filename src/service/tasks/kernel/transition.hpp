#pragma once

#include "service/tasks/kernel/change.hpp"

namespace andon::service {

/// The worker who does this: a run's, or the one in whose name an administrator acts. Empty for people and
/// the engine.
std::string acting_worker(OperationContext const& ctx);
/// Refuses a worker's act that brings a task without approval into work or to its end.
core::Result<void> check_approved(OperationContext const& ctx, core::Board const& board,
                                  core::Task const& task, core::Stage to);
core::Result<void> check_approved(OperationContext& ctx, TaskRef const& id, core::Column const& to);
/// Refuses a step into a column that the caller may not take: what the strict machine does not have, with the
/// columns it leads to from here.
core::Result<void> check_allowed(OperationContext const& ctx, Change const& change,
                                 core::Column const& column);

}  // namespace andon::service
