#pragma once

#include "core/error.hpp"
#include "core/model/run.hpp"

namespace andon::service {

struct OperationContext;

// How landed work that waits to be taken back goes on in the landing queue. Each takes a run whose revert
// waits.

/// Stores the commit to which the default branch is about to be moved. Refuses when the task is open again.
core::Result<core::Run> plan_revert(OperationContext& ctx, core::Run run, std::string const& commit,
                                    std::string const& onto);
/// Records that the work is taken back, and reopens or archives the task, all at once.
core::Result<core::Run> end_revert(OperationContext& ctx, core::Run run, std::string const& commit,
                                   std::string const& branch);
core::Result<core::Run> hold_revert(OperationContext& ctx, core::Run run, std::string const& reason);
/// The work stays, and the task stays as it is.
core::Result<core::Run> refuse_revert(OperationContext& ctx, core::Run run, std::string const& reason);

/// True when work of the task was taken back before.
bool was_reverted(OperationContext& ctx, core::TaskId task);

}  // namespace andon::service
