#pragma once

#include "core/model/run.hpp"
#include "service/tasks/kernel/change.hpp"

namespace andon::service {

/// If an agent works on the task under Andon's supervision, orders it to be stopped and says true: the act
/// that `order` names is carried out when no process of the run is left. The caller saves the change.
core::Result<bool> stop_first(OperationContext& ctx, Change& change, core::StopOrder order);

/// Whether an agent must end before the verb takes effect. An agent whose claim has ended has no say any
/// more; only the kill switch still concerns it.
bool has_run_to_stop(OperationContext& ctx, Change const& change, core::Verb verb);

/// Refuses what `stop_first` refuses for such an order.
core::Result<void> check_stop(OperationContext& ctx, Change const& change, core::Verb verb);

}  // namespace andon::service
