#pragma once

#include "core/runs/retry.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// Pauses the worker of a run that ended because its agent cannot work at all here: no program, no sign-in.
/// Its task is free for others; a person mends the cause and lets the worker pick again.
void pause_if_unfit(OperationContext& ctx, core::Run const& run,
                    std::optional<core::StopReason> stopped_because);

/// The scope of the crash of a run that has ended; `task` for a run that did not crash.
core::CrashScope crash_scope(OperationContext& ctx, core::Run const& run);

/// Holds back what would burn through every task that waits, after a crash of that scope. The account of an
/// agent profile rests, with the back-off of a usage limit, and goes on by itself; the attempts that led to
/// it do not count. A worker is paused, and a person lets it pick again.
void hold_after_crash(OperationContext& ctx, core::Run const& run, core::CrashScope scope);

}  // namespace andon::service
