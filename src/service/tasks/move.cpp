#include "service/tasks/move.hpp"

#include "core/boards/wip.hpp"
#include "core/tasks/rank.hpp"
#include "service/check_text.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/dependencies.hpp"
#include "service/tasks/kernel/start_work.hpp"
#include "service/tasks/kernel/stop_order.hpp"
#include "service/tasks/kernel/task_rules.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "service/tasks/warnings.hpp"
#include "service/with_body.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

/// The worker that gets the task with the move: the one named, or the registered worker that the task is
/// assigned to when somebody puts it into work. Empty for none.
std::string claimant_of(OperationContext& ctx, Change const& change, core::Column const& column,
                        Proof const& proof) {
  if (is_run(ctx)) return {};
  if (!proof.claim.empty()) return proof.claim;
  auto const& task = change.after;
  bool const idle = core::is_in_work(column.stage) && !core::is_claimed(task, ctx.now);
  return idle && !task.assignee.empty() && ctx.tx.worker(task.assignee) ? task.assignee : std::string{};
}

Result<void> check_claim_rule(OperationContext& ctx, Change const& change, core::Column const& column,
                              std::string const& claimant, bool force) {
  if (!column.require_claim || force || !claimant.empty() || core::is_claimed(change.after, ctx.now))
    return {};
  return core::refuse(claim_required(column.name));
}

/// A registered worker begins at once, as with a pick; anybody else has looked at the task.
bool is_given_to_worker(OperationContext& ctx, Change const& change, std::string const& claimant) {
  return !core::is_held_by(change.before, claimant, ctx.now) && ctx.tx.worker(claimant);
}

/// Takes or ends the claim that belongs to a move. A worker's own task is dispatched as well. An archived
/// task loses its claim, and a finished one gets no new holder.
Result<void> claim_for(OperationContext& ctx, Change& change, std::string const& claimant, bool by_name) {
  if (core::is_archived(change.after.stage)) core::end_claim(change.after);
  bool const is_over = core::is_finished(change.before.stage) && core::is_finished(change.after.stage);
  if (claimant.empty() || is_over || core::is_archived(change.after.stage)) return {};
  return by_name ? take_claim(ctx, change, claimant, OpenDependencies::accept)
                 : put_to_work(ctx, change, *ctx.tx.worker(claimant));
}

Result<std::string> rank_for(OperationContext& ctx, Change const& change, MoveTaskRequest const& r) {
  std::string below, above;
  if (r.after) {
    ANDON_TRY(auto const task, find_task(ctx, *r.after, "after"));
    below = task.rank;
    if (!r.before) above = ctx.tx.rank_beside(task, change.before.id, store::Side::after);
  }
  if (r.before) {
    ANDON_TRY(auto const task, find_task(ctx, *r.before, "before"));
    above = task.rank;
    if (!r.after) below = ctx.tx.rank_beside(task, change.before.id, store::Side::before);
  }
  if (!above.empty() && below >= above)
    return change.before.rank;  // neighbours of different priority: nothing to say
  return core::rank_between(below, above);
}

/// Refuses a status that no board has; the message names the columns of the first one.
Result<void> known_anywhere(OperationContext& ctx, std::string const& status) {
  for (auto const* board : ctx.tx.boards())
    if (core::find_place(*board, status)) return {};
  ANDON_TRY(auto const* first, find_board(ctx, {}));
  ANDON_CHECK(known_column(*first, status));
  return {};
}

}  // namespace

Result<core::Column const*> known_status(OperationContext& ctx, TaskRef const& ref,
                                         std::string const& status) {
  auto const task = find_task(ctx, ref);
  if (task) {
    ANDON_TRY(auto const* board, board_of(ctx, *task));
    return known_column(*board, status);
  }
  if (task.error().code == Code::kTaskNotFound)
    if (auto const unknown = known_anywhere(ctx, status); !unknown) return core::refuse(unknown.error());
  return core::refuse(task.error());
}

Result<void> check_move(OperationContext& ctx, Change& change, std::string const& status, Proof const& proof,
                        std::string const& reason) {
  ANDON_TRY(auto const* column, known_column(change.board, status));
  ANDON_CHECK(check_allowed(ctx, change, *column));
  auto const claimant = claimant_of(ctx, change, *column, proof);
  ANDON_CHECK(check_claim_rule(ctx, change, *column, claimant, proof.force));
  if (is_given_to_worker(ctx, change, claimant)) ANDON_CHECK(check_dependencies_closed(ctx, change.after));
  place(change, *column, ctx.now);
  if (!proof.force)
    ANDON_CHECK(
        core::check_wip(change.board, ctx.tx.load(change.board.id), *column, change.after, &change.before));
  if (proof.force) change.forced = true;
  core::follow_column(change, reason);
  if (change.after.state.supervised && !core::is_in_work(column->stage)) core::end_claim(change.after);
  ANDON_CHECK(check_holder(ctx, change));
  return claim_for(ctx, change, claimant, claimant == proof.claim);
}

namespace {

Result<core::Task> moved(OperationContext& ctx, MoveTaskRequest const& r) {
  if (!r.reason.empty()) ANDON_CHECK(check_text(r.reason, "reason", kNoteBytes));
  ANDON_TRY(auto const* column, known_status(ctx, r.id, r.status));
  ANDON_CHECK(check_approved(ctx, r.id, *column));
  ANDON_TRY(auto change, open_claimed(ctx, r.id, proof_of(r)));
  bool const ordered = r.before || r.after;
  bool const stays = column->name == change.before.status;
  if (stays && !ordered) return change.before;
  if (ordered) ANDON_SET(change.after.rank, rank_for(ctx, change, r));
  if (stays) return save(ctx, change, core::EventKind::task_moved, {{"rank", change.after.rank}});
  if (!is_run(ctx)) {
    ANDON_TRY(auto const stopping, stop_first(ctx, change, {core::Verb::move, column->name, r.reason}));
    if (stopping) return save_stopping(ctx, change, core::Verb::move);
  }
  if (auto const report = is_run(ctx) ? report_of_move(column->stage, r.reason) : std::nullopt) {
    ANDON_CHECK(check_allowed(ctx, change, *column));
    return keep_report(ctx, change, *report);
  }
  ANDON_CHECK(check_move(ctx, change, column->name, proof_of(r), r.reason));
  auto task = save(ctx, change, core::EventKind::task_moved);
  return with_warnings(ctx, &change.before, std::move(task));
}

}  // namespace

Result<core::Task> move_task(OperationContext& ctx, MoveTaskRequest const& r) {
  return with_body(ctx, moved(ctx, r));
}

}  // namespace andon::service
