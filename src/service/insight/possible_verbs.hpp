#pragma once

namespace andon::core {
struct Task;
}

namespace andon::service {

struct OperationContext;

/// Fills `can` and `cannot` with the verbs that the caller may use on the task now, without force, and why
/// not the others. Runs the checks of the operations themselves on a copy; writes nothing.
void tell_verbs(OperationContext& ctx, core::Task& task);

}  // namespace andon::service
