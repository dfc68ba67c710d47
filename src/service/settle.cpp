#include "service/settle.hpp"

#include <algorithm>

#include "service/budgets.hpp"
#include "service/claim.hpp"
#include "service/landing.hpp"
#include "service/landing_queue.hpp"
#include "service/review.hpp"
#include "service/verdict.hpp"

namespace andon::service {
namespace {

using core::EventKind;
using core::Outcome;
using core::Stage;

/// Whoever took the task from its agent by force holds it now, unless it has become too busy meanwhile.
EventKind hand_over(Unit& u, Change& change, std::string const& to) {
  apply_recover(u, change);
  auto const released = change.after;
  if (!take_claim(u, change, to)) {
    change.after = released;
    return EventKind::task_released;
  }
  auto const* column = core::first_column(change.board, Stage::claimed);
  if (column && change.after.stage == Stage::ready) land(u, change, *column);
  return EventKind::task_claimed;
}

EventKind leave_board(Unit& u, Change& change, EventKind kind) {
  core::end_claim(change.after);
  place(change, Stage::archived, u.now);
  return kind;
}

EventKind finish_work(Unit& u, Change& change) {
  apply_done(u, change);
  return change.after.stage == Stage::done ? EventKind::task_completed : EventKind::task_submitted;
}

EventKind submit_work(Unit& u, Change& change) {
  core::end_claim(change.after);
  land(u, change, Stage::review);
  return EventKind::task_submitted;
}

EventKind move_to(Unit& u, Change& change, std::string const& status) {
  core::end_claim(change.after);
  if (auto const* column = core::find_place(change.board, status)) land(u, change, *column);
  return EventKind::task_moved;
}

EventKind block_as_told(Unit& u, Change& change, core::StopOrder const& order) {
  apply_block(u, change, order.reason);
  return EventKind::task_blocked;
}

struct OrderRow {
  std::string_view verb;
  EventKind (*apply)(Unit&, Change&, core::StopOrder const&);
};
constexpr std::array kOrders{
    OrderRow{"move", [](Unit& u, Change& c, core::StopOrder const& o) { return move_to(u, c, o.status); }},
    OrderRow{"block", &block_as_told},
    OrderRow{kBudgetVerb, &block_as_told},
    OrderRow{"release",
             [](Unit& u, Change& c, core::StopOrder const&) {
               apply_recover(u, c);
               return EventKind::task_released;
             }},
    OrderRow{"claim",
             [](Unit& u, Change& c, core::StopOrder const& o) { return hand_over(u, c, o.claim_for); }},
    OrderRow{"complete", [](Unit& u, Change& c, core::StopOrder const&) { return finish_work(u, c); }},
    OrderRow{"submit", [](Unit& u, Change& c, core::StopOrder const&) { return submit_work(u, c); }},
    OrderRow{"fail",
             [](Unit& u, Change& c, core::StopOrder const& o) { return apply_failure(u, c, o.reason); }},
    OrderRow{"archive", [](Unit& u, Change& c,
                           core::StopOrder const&) { return leave_board(u, c, EventKind::task_archived); }},
    OrderRow{"delete", [](Unit& u, Change& c,
                          core::StopOrder const&) { return leave_board(u, c, EventKind::task_deleted); }},
};

EventKind apply_order(Unit& u, Change& change, core::StopOrder const& order) {
  auto const row = std::ranges::find(kOrders, std::string_view{order.verb}, &OrderRow::verb);
  if (row != kOrders.end()) return row->apply(u, change, order);
  apply_kill(u, change);
  return EventKind::task_killed;
}

/// The attempt never began: it does not count.
void uncount_attempt(core::Task& task) { task.attempt = std::max(0, task.attempt - 1); }

EventKind take_back(Unit& u, Change& change) {
  uncount_attempt(change.after);
  apply_recover(u, change);
  return EventKind::task_released;
}

EventKind apply_outcome(Unit& u, Change& change, core::Run const& run, FinishRunRequest const& r) {
  auto& task = change.after;
  if (r.stopped_because == "unfit" || r.stopped_because == "withdrawn") return take_back(u, change);
  if (r.stopped_because == "workspace") uncount_attempt(task);
  // Whoever let it run for so long decides whether it may again.
  if (r.stopped_because == "timed_out" && *run.outcome == Outcome::timed_out) {
    apply_block(u, change, run.reason);
    return EventKind::task_blocked;
  }
  switch (*run.outcome) {
    case Outcome::succeeded: task.result = run.result; return finish_work(u, change);
    case Outcome::incomplete:
      if (change.board.require_evidence) return apply_failure(u, change, run.reason);
      task.flag = "no evidence";
      submit_work(u, change);
      return task.stage == Stage::done ? EventKind::task_completed : EventKind::task_submitted;
    case Outcome::lost:
      if (task.attempt >= task.max_attempts) return apply_failure(u, change, run.reason);
      apply_recover(u, change);
      return EventKind::task_released;
    case Outcome::rate_limited:
      // The account rests, not the task: a worker with another one may take it at once.
      return take_back(u, change);
    case Outcome::killed: apply_kill(u, change); return EventKind::task_killed;
    case Outcome::over_budget:
    case Outcome::blocked: apply_block(u, change, run.reason); return EventKind::task_blocked;
    default: return apply_failure(u, change, run.reason);
  }
}

}  // namespace

bool has_evidence(FinishRunRequest const& r) {
  return !r.commits.empty() || r.files_changed > 0 ||
         std::ranges::any_of(r.checks, &core::CheckResult::passed) ||
         r.result.find_first_not_of(" \n\t") != std::string::npos;
}

void settle_task(Unit& u, core::Run const& run, FinishRunRequest const& r) {
  auto task = u.tx.task(run.task);
  auto const* board = task ? u.tx.board(task->board) : nullptr;
  if (!board) return;
  Change change{*task, *task, *board, {}, false, false};
  change.after.state.stopping = false;
  auto kind = EventKind::task_edited;
  bool const still_its_claim = task->epoch == run.epoch && !task->claimed_by.empty();
  if (run.stop && still_its_claim)
    kind = apply_order(u, change, *run.stop);
  else if (still_its_claim)
    kind = apply_outcome(u, change, run, r);
  else if (run.said == "done" && change.after.result.empty())
    change.after.result = run.result;
  if (kind == EventKind::task_edited)
    show_anew(u, change.after);
  else
    save(u, change, kind,
         {{"reason", run.reason},
          {"outcome", std::string{core::kOutcomeNames[static_cast<std::size_t>(*run.outcome)]}}});
  if (!run.stop) judge_work(u, run, has_evidence(r) || !run.result.empty());
  if (auto const settled = u.tx.task(run.task)) queue_landing(u, *settled);
}

}  // namespace andon::service
