#pragma once

#include "core/model/task.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// The task of an answer with what a person should look at: rules that bind the engine and only warn people.
/// `before` is the task as it was; none when it is new.
core::Task with_warnings(OperationContext& ctx, core::Task const* before, core::Task after);

}  // namespace andon::service
