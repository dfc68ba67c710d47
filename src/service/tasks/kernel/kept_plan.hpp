#pragma once

#include <optional>
#include <string>

#include "core/model/plan.hpp"
#include "core/model/run.hpp"
#include "service/tasks/kernel/change.hpp"

namespace andon::service {

// The document of a task's plan. It is a setting of the store, so that no card or list reads it.

std::optional<core::Plan> kept_plan(OperationContext& ctx, core::TaskId task);
/// Keeps a text as the plan of a task, in place of an earlier one. It waits for a verdict.
core::Plan keep_plan(OperationContext& ctx, core::TaskId task, std::string text, std::string by,
                     std::optional<core::RunId> run);
/// Keeps the state of the task's plan and the comment of the caller. Returns the digest of the plan; refuses
/// a plan without a text.
core::Result<std::string> judge_kept_plan(OperationContext& ctx, core::Task const& task,
                                          std::string const& comment);

/// Whether a plan of the task was written since the run began.
bool has_plan_of(OperationContext& ctx, core::Run const& run);
/// Refuses the wish for a plan by an agent: people decide what is planned first.
core::Result<void> check_may_ask_for_plan(OperationContext const& ctx);

}  // namespace andon::service
