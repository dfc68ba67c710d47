#pragma once

#include "service/operation_context.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {

/// The task of an answer with its brief, which a change that does not touch it leaves out.
inline core::Result<core::Task> with_body(OperationContext& ctx, core::Result<core::Task> task) {
  if (task && task->body.empty()) task->body = ctx.tx.body(task->id).value_or("");
  return task;
}

}  // namespace andon::service
