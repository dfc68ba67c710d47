#pragma once

#include "service/requests.hpp"
#include "service/tasks/change.hpp"

namespace andon::service {

/// If an agent works on the task under Andon's supervision, orders it to be stopped and says true: the act
/// that `order` names is carried out when no process of the run is left. The caller saves the change.
core::Result<bool> stop_first(OperationContext& ctx, Change& change, core::StopOrder order);

/// Refuses what `stop_first` refuses for such an order.
core::Result<void> check_stop(OperationContext& ctx, Change const& change, std::string_view verb);

/// Refuses to end work that there is none of.
core::Result<void> check_kill(OperationContext& ctx, Change const& change);
/// Ends the work on a task and puts it back into the backlog stage, never into ready.
core::Result<core::Task> kill_task(OperationContext& ctx, TaskRequest const& request);

}  // namespace andon::service
