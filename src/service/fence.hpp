#pragma once

#include "core/error.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// Refuses `STALE_CLAIM` to a run whose claim ended or was given to others. With `Lateness::accepted`, an
/// expired claim counts while nobody took the task. Callers that are no run pass.
enum class Lateness { refused, accepted };
core::Result<void> check_fence(OperationContext& ctx, Lateness lateness);

/// Whether the process at the other end supervises the run it speaks for, as the machine vouches.
bool is_supervising(OperationContext& ctx);

}  // namespace andon::service
