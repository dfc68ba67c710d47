#include "service/move.hpp"

#include "core/rank.hpp"
#include "core/wip.hpp"
#include "service/claim.hpp"
#include "service/create.hpp"
#include "service/dispatch.hpp"
#include "service/promotion.hpp"
#include "service/stop.hpp"
#include "service/verdict.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Stage;

/// Two edges of the strict machine have a condition: work is completed without a verdict only where none is
/// asked for, and blocked work returns to where it was.
bool fails_condition(Change const& change, Stage to) {
  auto const from = change.before.stage;
  if (from == Stage::active && to == Stage::done) return needs_review(change.board, change.before);
  if (from != Stage::blocked || (to != Stage::active && to != Stage::review)) return false;
  return core::stage_of(change.board, change.before.state.returns_to) != to;
}

Result<void> check_allowed(Unit const& u, Change const& change, core::Column const& column) {
  auto const from = change.before.stage;
  bool const gate = is_run(u) && from == Stage::backlog && column.stage != Stage::blocked;
  if (gate) return core::refuse(Code::kApprovalRequired, "a person must approve this task first", "status");
  bool const free = change.board.workflow == core::Workflow::open && !is_run(u);
  if (free || from == column.stage) return {};
  if (!fails_condition(change, column.stage)) return core::check_transition(from, column.stage);
  return core::refuse(Code::kIllegalTransition,
                      "task #" + std::to_string(change.before.id) +
                          (column.stage == Stage::done ? " needs a verdict first: submit it"
                                                       : " can go back only to where it was: unblock it"),
                      "status");
}

Result<void> check_claim_rule(Unit& u, Change& change, core::Column const& column, Proof const& proof) {
  if (!proof.claim.empty() && !is_run(u)) ANDON_CHECK(take_claim(u, change, proof.claim));
  if (!column.require_claim || proof.force || core::is_claimed(change.after, u.now)) return {};
  return core::refuse(core::Error{
      Code::kClaimRequired,
      "status \"" + column.name + "\" requires a claim: use --claim NAME (andon agent-name makes one)",
      "claim",
      {},
      {}}.with("status", column.name));
}

/// A task assigned to a registered worker is claimed for it, and dispatched, when somebody puts it into work.
Result<void> put_worker_to_work(Unit& u, Change& change) {
  auto const& task = change.after;
  if (!core::is_in_work(task.stage) || task.assignee.empty() || core::is_claimed(task, u.now)) return {};
  auto const* worker = u.tx.worker(task.assignee);
  if (!worker) return {};
  return put_to_work(u, change, *worker);
}

Result<std::string> rank_for(Unit& u, Change const& change, MoveTaskRequest const& r) {
  std::string below, above;
  if (r.after) {
    ANDON_TRY(auto const task, find_task(u, *r.after, "after"));
    below = task.rank;
    if (!r.before) above = u.tx.rank_beside(task, change.before.id, store::Side::after);
  }
  if (r.before) {
    ANDON_TRY(auto const task, find_task(u, *r.before, "before"));
    above = task.rank;
    if (!r.after) below = u.tx.rank_beside(task, change.before.id, store::Side::before);
  }
  if (!above.empty() && below >= above)
    return change.before.rank;  // neighbours of different priority: nothing to say
  return core::rank_between(below, above);
}

void mark_blocked(Unit const& u, Change& change, std::string const& reason) {
  auto& task = change.after;
  if (task.stage == Stage::blocked && !task.blocked) {
    task.blocked = true;
    task.block_reason = reason.empty() ? "put there by " + core::to_text(u.caller.actor) : reason;
    task.state.returns_to = change.before.status;
  } else if (change.before.stage == Stage::blocked && task.stage != Stage::blocked) {
    task.blocked = false;
    task.block_reason.clear();
    task.state.returns_to.clear();
  }
}

}  // namespace

Result<void> check_move(Unit& u, Change& change, std::string const& status, Proof const& proof) {
  ANDON_TRY(auto const* column, known_column(change.board, status));
  ANDON_CHECK(check_allowed(u, change, *column));
  ANDON_CHECK(check_claim_rule(u, change, *column, proof));
  place(change, *column, u.now);
  if (!proof.force)
    ANDON_CHECK(
        core::check_wip(change.board, u.tx.load(change.board.id), *column, change.after, &change.before));
  if (proof.force) change.forced = true;
  if (column->stage == Stage::backlog && change.before.stage != Stage::backlog) change.after.approved = false;
  mark_blocked(u, change, {});
  if (change.after.state.supervised && !core::is_in_work(column->stage)) core::end_claim(change.after);
  ANDON_CHECK(check_holder(u, change));
  return put_worker_to_work(u, change);
}

Result<core::Task> move_task(Unit& u, MoveTaskRequest const& r) {
  ANDON_TRY(auto peek, find_task(u, r.id));
  ANDON_TRY(auto const* board, board_of(u, peek));
  ANDON_TRY(auto const* column, known_column(*board, r.status));
  ANDON_TRY(auto change, open_claimed(u, r.id, proof_of(r)));
  bool const ordered = r.before || r.after;
  bool const stays = column->name == change.before.status;
  if (stays && !ordered) return change.before;
  if (ordered) ANDON_SET(change.after.rank, rank_for(u, change, r));
  if (stays) return save(u, change, core::EventKind::task_moved, {{"rank", change.after.rank}});
  if (!is_run(u)) {
    ANDON_TRY(auto const stopping, stop_first(u, change, {"move", column->name, r.reason, {}, {}}));
    if (stopping) return save(u, change, core::EventKind::task_edited, {{"stopping", "move"}});
  }
  ANDON_CHECK(check_move(u, change, column->name, proof_of(r)));
  if (change.after.stage == Stage::blocked && !r.reason.empty()) change.after.block_reason = r.reason;
  return save(u, change, core::EventKind::task_moved);
}

}  // namespace andon::service
