#include "service/fence.hpp"

#include "core/tasks/claim.hpp"

namespace andon::service {

core::Result<void> check_fence(Unit& u, Lateness lateness) {
  if (!u.caller.run) return {};
  auto const& scope = *u.caller.run;
  auto task = u.tx.task(scope.task);
  if (!task)
    return core::refuse(core::Error{
        core::Code::kStaleClaim,
        "task #" + std::to_string(scope.task) + " is gone; stop working on it",
        "epoch",
        {},
        {}}.with("id", scope.task));
  core::ClaimProof const proof{scope.worker, scope.epoch, false};
  return lateness == Lateness::accepted ? core::check_renewal(*task, proof)
                                        : core::check_claim(*task, proof, u.now);
}

bool is_supervising(Unit& u) {
  if (!u.caller.run || u.caller.run->process.empty()) return false;
  auto const run = u.tx.run(u.caller.run->run);
  return run && run->pid && run->process == u.caller.run->process;
}

}  // namespace andon::service
