#include "service/tasks/claim.hpp"

#include "core/tasks/pick.hpp"
#include "core/tasks/work_state.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/start_work.hpp"
#include "service/tasks/kernel/stop_order.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {

using core::Code;
using core::Result;

Result<core::Task> claim_task(OperationContext& ctx, ClaimTaskRequest const& r) {
  auto const name = is_run(ctx) || r.by.empty() ? holder(ctx) : r.by;
  ANDON_TRY(auto change, open_claimed(ctx, r.id, {name, r.epoch, r.force}));
  if (change.forced) {
    ANDON_CHECK(check_holder_name(name));
    ANDON_TRY(auto const stopping,
              stop_first(ctx, change,
                         {.verb = core::Verb::claim, .reason = "claimed by " + name, .claim_for = name}));
    if (stopping)
      return save(ctx, change, core::EventKind::task_edited, {{"stopping", "claim"}, {"by", name}});
  }
  bool const renewing = core::is_held_by(change.before, name, ctx.now);
  ANDON_CHECK(prepare_claim(ctx, change, name));
  return save(ctx, change, renewing ? core::EventKind::task_renewed : core::EventKind::task_claimed,
              {{"by", name}});
}

Result<core::Task> release_task(OperationContext& ctx, HeldTaskRequest const& r) {
  return act(ctx, core::Verb::release, r.id, proof_of(r));
}

namespace {

/// A supervised lease is short and renewed often, so a renewal is written only when it adds a quarter of the
/// lease. Every renewal by anybody else is written.
bool is_worth_writing(core::Task const& before, core::Task const& after) {
  if (before.claim_expires == after.claim_expires) return false;
  if (!after.state.supervised || !before.claim_expires || !after.claim_expires) return true;
  return *after.claim_expires - *before.claim_expires >= kSupervisedLease / 4;
}

/// Checks a renewal after the end of the claim. Nobody has taken the task since, but other tasks may use what
/// that end freed: the worker's capacity and the touched files.
Result<void> check_late_renewal(OperationContext& ctx, core::Task const& task) {
  if (core::is_claimed(task, ctx.now)) return {};
  auto const* worker = ctx.tx.worker(task.claimed_by);
  if (worker && core::uses_capacity(task.stage)) ANDON_CHECK(check_capacity(ctx, *worker, task.id));
  if (task.touches.empty() || core::is_in_work(task.stage)) return {};
  auto const* board = ctx.tx.board(task.board);
  auto const busy = board ? ctx.tx.touching(board->id) : std::vector<core::Task>{};
  for (auto const& other : busy) {
    bool const in_hands = core::is_in_work(other.stage) || core::is_claimed(other, ctx.now);
    if (other.id != task.id && in_hands && core::any_overlap(task.touches, other.touches))
      return core::refuse(core::Error{Code::kStaleClaim,
                                      "the claim of task #" + std::to_string(task.id) +
                                          " was over and task #" + std::to_string(other.id) +
                                          " touches the same files now; pick again",
                                      "epoch",
                                      {},
                                      std::make_shared<core::Task const>(task)}
                              .with("id", task.id));
  }
  return {};
}

}  // namespace

Result<Heartbeat> heartbeat(OperationContext& ctx, HeartbeatRequest const& r) {
  ANDON_TRY(auto change, open(ctx, r.id));
  ANDON_CHECK(core::check_renewal(change.before, {holder(ctx), r.epoch, false}));
  ANDON_CHECK(check_late_renewal(ctx, change.before));
  auto& task = change.after;
  core::renew(task, lease_of(change.board, task), ctx.now);
  if (is_worth_writing(change.before, task))
    ctx.tx.put(task);
  else
    task.claim_expires = change.before.claim_expires;
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  return Heartbeat{task.claim_expires,
                   run && run->state == core::RunState::stopping,
                   is_dispatch_paused(ctx, change.board),
                   task.priority,
                   run ? run->progress : std::nullopt,
                   core::is_reported(task)};
}

}  // namespace andon::service
