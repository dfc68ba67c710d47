#pragma once

#include "service/tasks/kernel/change.hpp"

namespace andon::service {

/// A change by a worker before the start voids the approval: what a person approved is no longer what would
/// be done. The task goes back to where it waits for a person.
void void_approval(OperationContext const& ctx, Change& change);

}  // namespace andon::service
