#pragma once

#include "core/tasks/apply.hpp"
#include "service/tasks/kernel/change.hpp"

namespace andon::service {

/// The facts that decide about a verb. What its row does not ask for is not read.
core::Situation situation_of(OperationContext& ctx, Change const& change, core::VerbRow const& row);
/// The facts that decide about any verb.
core::Situation situation_of(OperationContext& ctx, Change const& change);

/// Applies a verb for the engine, which nothing refuses: work that finds a column full waits or exceeds the
/// limit.
core::EventKind apply(OperationContext& ctx, Change& change, core::Verb verb,
                      core::VerbInput const& input = {});

}  // namespace andon::service
