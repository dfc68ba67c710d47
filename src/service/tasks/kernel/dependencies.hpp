#pragma once

#include <vector>

#include "core/error.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// The dependencies that are neither finished nor deleted.
std::vector<core::TaskId> open_dependency_ids(OperationContext& ctx, core::Task const& task);
/// Recounts the open dependencies of a task from its list.
std::int64_t count_open_dependencies(OperationContext& ctx, core::Task const& task);
/// Refuses `DEPENDENCY_OPEN`, naming what the task waits for.
core::Result<void> check_dependencies_closed(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
