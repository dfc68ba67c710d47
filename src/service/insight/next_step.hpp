#pragma once

#include <optional>
#include <vector>

#include "core/id.hpp"
#include "core/model/task.hpp"
#include "core/tasks/next_step.hpp"

namespace andon::service {

struct OperationContext;

/// The owner of the next step of the task; nothing for one that is done or archived, and on an archived
/// board.
std::optional<core::NextStepOwner> next_step_of(OperationContext& ctx, core::Task const& task);

/// Open tasks whose next step nobody makes, each a defect of Andon. Such tasks are in work, so the search
/// costs as much as there is in work, and looks at a thousand tasks at most.
std::vector<core::TaskId> orphans(OperationContext& ctx);

}  // namespace andon::service
