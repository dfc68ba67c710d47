#include "service/tasks/kernel/change.hpp"

#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Stage;

core::Result<void> check_own(OperationContext const& ctx, core::Task const& task) {
  if (!is_run(ctx) || ctx.caller.run->task == task.id) return {};
  return core::refuse(Code::kForbidden,
                      "a run may change only its own task #" + std::to_string(ctx.caller.run->task));
}

core::Result<void> check_rev(OperationContext const& ctx, core::Task const& task) {
  if (!ctx.expected_rev || *ctx.expected_rev == task.rev) return {};
  return core::refuse(core::Error{Code::kRevMismatch,
                                  "task #" + std::to_string(task.id) + " has changed since; read it again",
                                  "If-Match",
                                  {},
                                  std::make_shared<core::Task const>(task)}
                          .with("rev", task.rev));
}

/// The actor that ordered the stop has decided about the task, so the agent may change nothing any more.
std::unexpected<core::Error> being_stopped(core::Task const& task) {
  return core::refuse(core::Error{Code::kStaleClaim,
                                  "the work on task #" + std::to_string(task.id) + " is being stopped",
                                  "epoch",
                                  {},
                                  std::make_shared<core::Task const>(task)}
                          .with("id", task.id));
}

/// Every write of the holder renews a self-reported claim.
void renew_for_holder(Change& change, core::Instant now) {
  auto& task = change.after;
  bool const same_claim = task.epoch == change.before.epoch && core::is_claimed(task, now);
  if (change.by_holder && same_claim && !task.state.supervised)
    core::renew(task, change.board.claim_timeout, now);
}

/// A person who brings a task beyond the backlog, or into somebody's hands there, approves it. Agents cannot
/// approve, and acts that only follow from another act do not.
void mark_approved(OperationContext const& ctx, Change& change) {
  auto& task = change.after;
  bool const beyond = core::uses_capacity(task.stage) || core::is_in_review(task.stage);
  bool const taken = task.epoch != change.before.epoch && !task.claimed_by.empty();
  bool const by_engine = ctx.caller.actor.kind == core::ActorKind::system;
  if (beyond && (change.moved || taken) && !by_engine && !is_run(ctx)) task.approved = true;
}

/// A question lives as long as the task is blocked for its sake, or as its run holds the task.
void drop_old_question(core::Task& task) {
  if (!task.question) return;
  bool const is_open = task.question->run ? core::is_asked_by_live_run(task)
                                          : task.blocked && task.block_reason == task.question->text;
  if (!is_open) task.question.reset();
}

void tell_exceeded(OperationContext& ctx, core::Task const& task, core::Column const& column) {
  core::Event event;
  event.kind = core::EventKind::limit_reached;
  event.board = task.board;
  event.task = task.id;
  append_event(ctx, std::move(event),
               {{"limit", "wip"}, {"status", column.name}, {"most", std::to_string(column.wip_limit)}});
}

/// Turns the change into the refusal, if there is one. A change is large, so that it is better not moved.
void refuse_unless(core::Result<Change>& change, core::Result<void> checked) {
  if (!checked) change = std::unexpected(std::move(checked).error());
}

}  // namespace

std::optional<Change> load_change(OperationContext& ctx, core::TaskId id) {
  auto task = ctx.tx.task(id);
  auto const* board = task ? ctx.tx.board(task->board) : nullptr;
  if (!board) return std::nullopt;
  return Change{*std::move(task), *board};
}

core::Result<Change> open(OperationContext& ctx, TaskRef const& ref) {
  auto change = open_foreign(ctx, ref);
  if (change) refuse_unless(change, check_own(ctx, change->before));
  return change;
}

core::Result<Change> open_foreign(OperationContext& ctx, TaskRef const& ref) {
  ANDON_TRY(auto&& task, find_task(ctx, ref));
  ANDON_CHECK(check_rev(ctx, task));
  task.children = ctx.tx.progress(task.id);
  ANDON_TRY(auto const* board, board_of(ctx, task));
  return core::Result<Change>{std::in_place, std::move(task), *board};
}

core::Result<void> check_proof(OperationContext& ctx, Change& change, Proof const& proof) {
  core::ClaimProof claim{proof.claim.empty() ? holder(ctx) : proof.claim, proof.epoch, proof.force};
  if (is_run(ctx)) {
    if (proof.force) return core::refuse(Code::kForbidden, "a run may not force", "force");
    if (change.before.state.stopping) return being_stopped(change.before);
    auto const& run = *ctx.caller.run;
    ANDON_CHECK(core::check_claim(change.before, {run.worker, run.epoch, false}, ctx.now));
    // An epoch other than that of the token means that the caller expects another claim.
    claim = {run.worker, proof.epoch.value_or(run.epoch), false};
  }
  change.forced =
      proof.force && core::is_claimed(change.before, ctx.now) && change.before.claimed_by != claim.holder;
  change.by_holder =
      core::is_held_by(change.before, claim.holder, ctx.now) || proof.epoch == change.before.epoch;
  return core::check_claim(change.before, claim, ctx.now);
}

core::Result<Change> open_claimed(OperationContext& ctx, TaskRef const& ref, Proof const& proof) {
  auto change = open(ctx, ref);
  if (change) refuse_unless(change, check_proof(ctx, *change, proof));
  return change;
}

void write(OperationContext& ctx, Change& change, core::EventKind kind, Facts const& facts) {
  auto& task = change.after;
  if (change.exceeded) tell_exceeded(ctx, task, *change.exceeded);
  renew_for_holder(change, ctx.now);
  mark_approved(ctx, change);
  drop_old_question(task);
  task.updated = ctx.now;
  task.rev = core::next(change.before.rev);
  if (change.has_body) task.body = change.body;
  ctx.tx.put(task, change.has_body);

  core::Event event;
  event.kind = kind;
  event.board = task.board;
  event.task = task.id;
  event.run = task.run;
  if (change.before.status != task.status) {
    event.from = change.before.status;
    event.to = task.status;
  }
  auto told = facts;
  if (change.forced) told.emplace_back("forced", change.before.claimed_by);
  append_event(ctx, std::move(event), told);
}

core::Task shown(OperationContext& ctx, core::Task task) {
  if (!ctx.tx.is_directory()) core::hide_ended_claim(task, ctx.now);
  return task;
}

}  // namespace andon::service
