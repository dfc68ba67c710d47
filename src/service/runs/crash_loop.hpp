#pragma once

#include "core/model/run.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// Pauses the worker of a run that ended because its agent cannot work at all here: no program, no sign-in.
/// Its task is free for others; a person mends the cause and lets the worker pick again.
void pause_if_unfit(OperationContext& ctx, core::Run const& run,
                    std::optional<core::StopReason> stopped_because);

/// Pauses the worker of a run that has just ended when its latest attempts all crashed at once: such a worker
/// would burn through every task that waits for it. A person lets it pick again.
void pause_if_looping(OperationContext& ctx, core::Run const& run);

}  // namespace andon::service
