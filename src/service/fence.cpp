#include "service/fence.hpp"

#include "core/tasks/claim.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {

core::Result<void> check_fence(OperationContext& ctx, Lateness lateness) {
  if (!ctx.caller.run) return {};
  auto const& scope = *ctx.caller.run;
  auto task = ctx.tx.task(scope.task);
  if (!task)
    return core::refuse(core::Error{
        core::Code::kStaleClaim,
        "task #" + std::to_string(scope.task) + " is gone; stop working on it",
        "epoch",
        {},
        {}}.with("id", scope.task));
  core::ClaimProof const proof{scope.worker, scope.epoch, false};
  return lateness == Lateness::accepted ? core::check_renewal(*task, proof)
                                        : core::check_claim(*task, proof, ctx.now);
}

bool is_supervising(OperationContext& ctx) {
  if (!ctx.caller.run || ctx.caller.run->process.empty()) return false;
  auto const run = ctx.tx.run(ctx.caller.run->run);
  return run && run->pid && run->process == ctx.caller.run->process;
}

}  // namespace andon::service
