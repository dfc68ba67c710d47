#include "service/tasks/edit_acts.hpp"

#include "service/check_text.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::EventKind;
using core::Result;
using core::Verb;
/// The verb for which an agent is being stopped.
using Stops = std::optional<Verb>;

std::unexpected<core::Error> excluded(std::string const& one, std::string const& other) {
  return core::refuse(Code::kStatusConflict, "cannot use " + one + " and " + other + " together", other);
}

/// On an open board without a column for it, blocked is a mark alone: the task stays where and whose it is,
/// unless that is an agent which Andon started.
bool is_mark_alone(Change const& change) {
  return !change.before.state.supervised && change.board.workflow == core::Workflow::open &&
         !core::blocked_column(change.board);
}

/// Carries out a verb; the verb itself when an agent is stopped first.
Result<Stops> carry_out_first(OperationContext& ctx, Change& change, Verb verb,
                              core::VerbInput const& input = {}) {
  ANDON_TRY(auto const acted, carry_out(ctx, change, verb, input));
  return acted.is_stopping ? Stops{verb} : Stops{};
}

Result<Stops> block(OperationContext& ctx, std::string const& reason, Change& change) {
  if (is_mark_alone(change)) {
    change.after.blocked = true;
    change.after.block_reason = reason;
    return std::nullopt;
  }
  ANDON_CHECK(core::check_stage(Verb::block, change.after.stage, change.board.workflow));
  return carry_out_first(ctx, change, Verb::block, {.reason = reason});
}

Result<Stops> unblock(OperationContext& ctx, Change& change) {
  if (!is_mark_alone(change)) return carry_out_first(ctx, change, Verb::unblock);
  change.after.blocked = false;
  change.after.block_reason.clear();
  return std::nullopt;
}

void tell_act(OperationContext& ctx, core::Task const& task, EventKind kind, Facts const& facts) {
  core::Event event;
  event.kind = kind;
  event.board = task.board;
  event.task = task.id;
  event.run = task.run;
  append_event(ctx, std::move(event), facts);
}

}  // namespace

Result<void> check_acts(OperationContext const& ctx, EditTaskRequest const& r) {
  if (r.block && r.unblock) return excluded("block", "unblock");
  if (r.take && r.release) return excluded("take", "release");
  if (r.block) ANDON_CHECK(check_text(*r.block, "block", kNoteBytes));
  if (r.take && r.claim.empty())
    return core::refuse(Code::kInvalidInput, "\"take\" needs the name to claim for in \"claim\"", "claim");
  if (!is_run(ctx)) return {};
  if (r.unblock) return core::refuse(Code::kForbidden, "a run cannot unblock a task", "unblock");
  if (r.take && r.claim != ctx.caller.run->worker)
    return core::refuse(Code::kForbidden, "a run cannot claim for somebody else", "claim");
  return {};
}

bool acts_on(EditTaskRequest const& r, core::Task const& task) {
  return r.block || (r.unblock && core::is_blocked(task)) || (r.take && !core::is_finished(task.stage)) ||
         (r.release && !task.claimed_by.empty());
}

Result<void> check_heeded(OperationContext const& ctx, EditTaskRequest const& r, Change const& change) {
  if (!r.heed_claims || r.release || r.force || !r.claim.empty()) return {};
  auto const* column = core::find_column(change.board, change.before.status);
  if (!column || !column->require_claim || core::is_claimed(change.before, ctx.now)) return {};
  return core::refuse(claim_required(column->name));
}

Result<std::optional<core::Verb>> apply_acts(OperationContext& ctx, EditTaskRequest const& r,
                                             Change& change) {
  if (r.take && !core::is_finished(change.after.stage))
    ANDON_CHECK(take_claim(ctx, change, r.claim, open_dependencies_for(ctx, r.claim)));
  if (r.unblock && core::is_blocked(change.after)) ANDON_CHECK(unblock(ctx, change));
  if (r.block) {
    ANDON_TRY(auto order, block(ctx, *r.block, change));
    if (order) return order;
  }
  if (r.release && !change.after.claimed_by.empty()) return carry_out_first(ctx, change, Verb::release);
  return std::nullopt;
}

void tell_acts(OperationContext& ctx, Change const& change) {
  auto const &before = change.before, &after = change.after;
  if (before.blocked != after.blocked)
    tell_act(ctx, after, after.blocked ? EventKind::task_blocked : EventKind::task_unblocked,
             after.blocked ? Facts{{"reason", after.block_reason}} : Facts{{"title", after.title}});
  bool const began = !core::is_claimed(before, ctx.now) && core::is_claimed(after, ctx.now);
  if (began) tell_act(ctx, after, EventKind::task_claimed, {{"by", after.claimed_by}});
  if (core::is_claimed(before, ctx.now) && after.claimed_by.empty())
    tell_act(ctx, after, EventKind::task_released, {{"by", before.claimed_by}});
}

}  // namespace andon::service
