#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/event.hpp"
#include "service/operation_context.hpp"

namespace andon::core {
struct Task;
}

namespace andon::service {

/// The details of an event beside its actor, time and kind; a JSON object of texts.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Appends an event to the history: who and when come from the unit of work. A run that writes makes progress
/// by it.
void append_event(OperationContext& ctx, core::Event event, Facts const& facts = {});

/// The text of one fact of an event; empty when it does not tell it.
std::string fact_of(core::Event const& event, std::string_view name);

/// Raises the task's revision alone: what its card shows of the run has changed, and the run's event tells of
/// it.
void touch(OperationContext& ctx, core::Task task);

}  // namespace andon::service
