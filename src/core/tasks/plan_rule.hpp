#pragma once

#include "core/model/task.hpp"
#include "core/model/worker.hpp"

namespace andon::core {

/// True when the next run of the task only writes its plan: the task or the worker asks for one, or one was
/// written, and no plan is accepted. A review of other work needs no plan.
bool needs_plan(Task const& task, Worker const& worker);

/// True when a verdict on the task is one on its plan.
bool has_open_plan(Task const& task);
/// True when the task stands in review, or is blocked, for the sake of its plan.
bool waits_with_plan(Task const& task);

}  // namespace andon::core
