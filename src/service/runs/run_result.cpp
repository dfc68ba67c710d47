#include "service/runs/run_result.hpp"

#include <algorithm>

#include "service/limits/budgets.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/place_or_queue.hpp"
#include "service/tasks/review.hpp"
#include "service/tasks/task_actions.hpp"

namespace andon::service {
namespace {

using core::EventKind;
using core::Outcome;
using core::Stage;

/// Gives the task to the worker that took it from its agent by force, unless that worker has become busy
/// meanwhile.
EventKind hand_over(OperationContext& ctx, Change& change, std::string const& to) {
  apply_recover(ctx, change);
  auto const released = change.after;
  if (!take_claim(ctx, change, to)) {
    change.after = released;
    return EventKind::task_released;
  }
  auto const* column = core::first_column(change.board, Stage::claimed);
  if (column && change.after.stage == Stage::ready) place_or_queue(ctx, change, *column);
  return EventKind::task_claimed;
}

EventKind leave_board(OperationContext& ctx, Change& change, EventKind kind) {
  core::end_claim(change.after);
  place(change, Stage::archived, ctx.now);
  return kind;
}

EventKind finish_work(OperationContext& ctx, Change& change) {
  // Work without a review is done when it has landed.
  if (!needs_review(change.board, change.after) && lands(change.board) &&
      has_work_to_land(ctx, change.after)) {
    core::hold_for_engine(change.after, ctx.now);
    return EventKind::task_edited;
  }
  apply_done(ctx, change);
  return change.after.stage == Stage::done ? EventKind::task_completed : EventKind::task_submitted;
}

EventKind submit_work(OperationContext& ctx, Change& change) {
  core::end_claim(change.after);
  place_or_queue(ctx, change, Stage::review);
  return change.after.stage == Stage::done ? EventKind::task_completed : EventKind::task_submitted;
}

EventKind move_to(OperationContext& ctx, Change& change, std::string const& status) {
  core::end_claim(change.after);
  if (auto const* column = core::find_place(change.board, status)) place_or_queue(ctx, change, *column);
  return EventKind::task_moved;
}

EventKind block_as_ordered(OperationContext& ctx, Change& change, core::StopOrder const& order) {
  apply_block(ctx, change, order.reason);
  return EventKind::task_blocked;
}

struct StopOrderRow {
  std::string_view verb;
  EventKind (*apply)(OperationContext&, Change&, core::StopOrder const&);
};
constexpr std::array kStopOrders{
    StopOrderRow{"move", [](OperationContext& ctx, Change& c,
                            core::StopOrder const& o) { return move_to(ctx, c, o.status); }},
    StopOrderRow{"block", &block_as_ordered},
    StopOrderRow{kBudgetVerb, &block_as_ordered},
    StopOrderRow{"release",
                 [](OperationContext& ctx, Change& c, core::StopOrder const&) {
                   apply_recover(ctx, c);
                   return EventKind::task_released;
                 }},
    StopOrderRow{"claim", [](OperationContext& ctx, Change& c,
                             core::StopOrder const& o) { return hand_over(ctx, c, o.claim_for); }},
    StopOrderRow{"complete", [](OperationContext& ctx, Change& c,
                                core::StopOrder const&) { return finish_work(ctx, c); }},
    StopOrderRow{"submit", [](OperationContext& ctx, Change& c,
                              core::StopOrder const&) { return submit_work(ctx, c); }},
    StopOrderRow{"fail", [](OperationContext& ctx, Change& c,
                            core::StopOrder const& o) { return apply_failure(ctx, c, o.reason); }},
    StopOrderRow{"archive",
                 [](OperationContext& ctx, Change& c, core::StopOrder const&) {
                   return leave_board(ctx, c, EventKind::task_archived);
                 }},
    StopOrderRow{"delete",
                 [](OperationContext& ctx, Change& c, core::StopOrder const&) {
                   return leave_board(ctx, c, EventKind::task_deleted);
                 }},
};

EventKind apply_order(OperationContext& ctx, Change& change, core::StopOrder const& order) {
  auto const row = std::ranges::find(kStopOrders, std::string_view{order.verb}, &StopOrderRow::verb);
  if (row != kStopOrders.end()) return row->apply(ctx, change, order);
  apply_kill(ctx, change);
  return EventKind::task_killed;
}

bool was_seen_to_work(core::Run const& run, FinishRunRequest const& r) {
  return !r.commits.empty() || r.files_changed > 0 || run.created_tasks > 0;
}

/// A person looks at work that left nothing to be seen, where the board wants that.
EventKind finish_without_evidence(OperationContext& ctx, Change& change, core::Run const& run) {
  auto& task = change.after;
  bool const has_review = core::first_column(change.board, Stage::review) != nullptr;
  if (core::requires_evidence(change.board) && !has_review) {
    apply_block(ctx, change, run.reason);
    task.flag = "no evidence";
    return EventKind::task_blocked;
  }
  if (task.result.empty() || !run.result.empty()) task.result = run.result;
  auto const kind = submit_work(ctx, change);
  task.flag = "no evidence";
  return kind;
}

/// The agent reported that nothing had to be changed. A person looks at that, unless the board or the task
/// asks for no verdict.
EventKind finish_without_change(OperationContext& ctx, Change& change, core::Run const& run) {
  change.after.result = run.result.empty() ? run.no_change : run.result;
  bool const is_judged = needs_review(change.board, change.after) && core::requires_evidence(change.board);
  auto const kind = is_judged ? submit_work(ctx, change) : finish_work(ctx, change);
  change.after.flag = "no change";
  return kind;
}

/// A reviewer must know that people and other agents change the same files, so the run's evidence may be
/// theirs.
void flag_shared_directory(Change& change, FinishRunRequest const& r) {
  bool const is_shared = !change.board.repo.empty() && !change.board.worktree;
  if (is_shared && (!r.commits.empty() || r.files_changed > 0)) change.after.flag = "shared directory";
}

EventKind hand_over_work(OperationContext& ctx, Change& change, core::Run const& run,
                         FinishRunRequest const& r) {
  auto const* review = core::first_column(change.board, Stage::review);
  flag_shared_directory(change, r);
  core::end_claim(change.after);
  place_or_queue(ctx, change, review ? Stage::review : Stage::ready);
  if (!run.reason.empty()) {
    change.after.blocked = true;
    change.after.block_reason = run.reason;
  }
  return EventKind::task_submitted;
}

EventKind finish_as_reported(OperationContext& ctx, Change& change, core::Run const& run,
                             FinishRunRequest const& r) {
  if (!run.no_change.empty() && !was_seen_to_work(run, r)) return finish_without_change(ctx, change, run);
  change.after.result = run.result;
  flag_shared_directory(change, r);
  return finish_work(ctx, change);
}

EventKind block_as_reported(OperationContext& ctx, Change& change, core::Run const& run) {
  apply_block(ctx, change, run.reason);
  if (run.said == "block")
    change.after.question = core::Question{run.reason, run.choices, "worker:" + run.worker, ctx.now};
  return EventKind::task_blocked;
}

/// The attempt never began: it does not count.
void uncount_attempt(core::Task& task) { task.attempt = std::max(0, task.attempt - 1); }

EventKind take_back(OperationContext& ctx, Change& change) {
  uncount_attempt(change.after);
  apply_recover(ctx, change);
  return EventKind::task_released;
}

EventKind apply_outcome(OperationContext& ctx, Change& change, core::Run const& run,
                        FinishRunRequest const& r) {
  auto& task = change.after;
  if (r.stopped_because == "unfit" || r.stopped_because == "withdrawn") return take_back(ctx, change);
  if (r.stopped_because == "workspace") uncount_attempt(task);
  // A person decides whether the task may run for so long again.
  if (r.stopped_because == "timed_out" && *run.outcome == Outcome::timed_out) {
    apply_block(ctx, change, run.reason);
    return EventKind::task_blocked;
  }
  switch (*run.outcome) {
    case Outcome::succeeded: return finish_as_reported(ctx, change, run, r);
    case Outcome::handed_off: return hand_over_work(ctx, change, run, r);
    case Outcome::incomplete: return finish_without_evidence(ctx, change, run);
    case Outcome::lost:
      if (task.attempt >= task.max_attempts) return apply_failure(ctx, change, run.reason);
      apply_recover(ctx, change);
      return EventKind::task_released;
    case Outcome::rate_limited:
      // The account rests, not the task: a worker with another one may take it at once.
      return take_back(ctx, change);
    case Outcome::killed: apply_kill(ctx, change); return EventKind::task_killed;
    case Outcome::over_budget:
    case Outcome::blocked: return block_as_reported(ctx, change, run);
    default: return apply_failure(ctx, change, run.reason);
  }
}

/// The actor of the change that the end of a run makes to its task: the one that ordered the stop; the
/// worker, for an outcome that its agent reported or reached; or else Andon.
Caller voice_of(OperationContext const& ctx, core::Run const& run) {
  auto const orderer = run.stop ? core::parse_actor(run.stop->by) : std::nullopt;
  if (orderer) return {*orderer, Role::admin, ctx.caller.source, {}};
  bool const is_own = !run.said.empty() || *run.outcome == Outcome::succeeded;
  return is_own ? ctx.caller : as_system(ctx).caller;
}

}  // namespace

bool has_evidence(OperationContext& ctx, core::Run const& run, FinishRunRequest const& r) {
  auto const task = ctx.tx.task(run.task);
  auto const* board = ctx.tx.board(run.board);
  bool const gave_verdict = task && task->state.reviews != 0 && run.said == "done" && has_verdict(ctx, *task);
  if (was_seen_to_work(run, r) || gave_verdict || !run.no_change.empty()) return true;
  if (board && !board->repo.empty()) return false;
  return std::ranges::any_of(r.checks, &core::CheckResult::passed) || !run.result.empty() ||
         r.result.find_first_not_of(" \n\t") != std::string::npos;
}

void apply_run_result(OperationContext& ctx, core::Run const& run, FinishRunRequest const& r) {
  auto task = ctx.tx.task(run.task);
  auto const* board = task ? ctx.tx.board(task->board) : nullptr;
  if (!board) return;
  Change change{*task, *task, *board, {}, false, false};
  change.after.state.stopping = false;
  auto kind = EventKind::task_edited;
  bool const still_its_claim = task->epoch == run.epoch && !task->claimed_by.empty();
  if (run.stop && still_its_claim)
    kind = apply_order(ctx, change, *run.stop);
  else if (still_its_claim)
    kind = apply_outcome(ctx, change, run, r);
  else if (run.said == "done" && change.after.result.empty())
    change.after.result = run.result;
  auto const teller = voice_of(ctx, run);
  OperationContext voice{ctx.tx, ctx.now, teller, ctx.jitter, ctx.mutation, {}, ctx.origin, ctx.zones};
  bool const waits_to_land = core::is_held_by_engine(change.after);
  if (kind == EventKind::task_edited && !waits_to_land)
    touch(ctx, change.after);
  else
    save(voice, change, kind,
         {{"reason", run.reason},
          {"outcome", std::string{core::kOutcomeNames[static_cast<std::size_t>(*run.outcome)]}}});
  if (!run.stop) judge_work(ctx, run);
  if (auto const settled = ctx.tx.task(run.task)) queue_landing(ctx, *settled);
}

}  // namespace andon::service
