#pragma once

#include "service/unit.hpp"

namespace andon::service {

/// The task of an answer with its brief, which a change that does not touch it leaves out.
inline core::Result<core::Task> with_body(Unit& u, core::Result<core::Task> task) {
  if (task && task->body.empty()) task->body = u.tx.body(task->id).value_or("");
  return task;
}

}  // namespace andon::service
