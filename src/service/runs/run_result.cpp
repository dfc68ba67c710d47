#include "service/runs/run_result.hpp"

#include <algorithm>

#include "core/runs/outcome.hpp"
#include "core/runs/retry.hpp"
#include "core/tasks/attention.hpp"
#include "core/tasks/review_rule.hpp"
#include "core/tasks/work_state.hpp"
#include "core/text/names.hpp"
#include "service/limits/machine.hpp"
#include "service/runs/crash_loop.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/kept_plan.hpp"
#include "service/tasks/kernel/placement.hpp"
#include "service/tasks/kernel/verdict.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::AgentReport;
using core::EventKind;
using core::Outcome;
using core::Stage;
using core::Verb;

/// For other runs to end before the task is tried again.
constexpr core::Duration kMemoryPause = std::chrono::seconds{15};

/// Gives the task to the worker that took it from its agent by force, unless that worker has become busy
/// meanwhile.
EventKind hand_over(OperationContext& ctx, Change& change, std::string const& to) {
  auto const event = apply(ctx, change, Verb::recover);
  auto const released = change.after;
  if (!take_claim(ctx, change, to)) {
    change.after = released;
    return event;
  }
  auto const* column = core::claimed_column(change.board);
  if (column && core::is_ready(change.after.stage)) place_or_queue(ctx, change, *column);
  return EventKind::task_claimed;
}

EventKind finish_work(OperationContext& ctx, Change& change) {
  // Work without a review is done when it has landed.
  if (!core::needs_review(change.board, change.after) && lands(change.board) &&
      has_work_to_land(ctx, change.after)) {
    core::hold_for_engine(change.after, ctx.now);
    return EventKind::task_edited;
  }
  return apply(ctx, change, Verb::complete);
}

/// Work that a person has to look at, whatever the board asks for.
EventKind submit_work(OperationContext& ctx, Change& change) {
  return apply(ctx, change, Verb::submit, {.result = change.after.result});
}

EventKind apply_order(OperationContext& ctx, Change& change, core::StopOrder const& order) {
  switch (order.verb) {
    case Verb::claim: return hand_over(ctx, change, order.claim_for);
    case Verb::complete: return finish_work(ctx, change);
    case Verb::submit: return submit_work(ctx, change);
    // No agent is there any more, so the work may go back on every board.
    case Verb::release: return apply(ctx, change, Verb::recover);
    default:
      return apply(ctx, change, order.verb,
                   {.reason = order.reason, .column = core::find_place(change.board, order.status)});
  }
}

/// Whether there is work to be seen: of this run, or of an earlier attempt that this one found finished.
bool was_seen_to_work(core::Run const& run, FinishRunRequest const& r) {
  bool const branch_has_work = r.diff_size && r.diff_size->files > 0;
  return branch_has_work || !r.commits.empty() || r.files_changed > 0 || run.created_tasks > 0;
}

/// A person looks at work that left nothing to be seen, where the board wants that.
EventKind finish_without_evidence(OperationContext& ctx, Change& change, core::Run const& run) {
  auto& task = change.after;
  bool const has_review = core::review_column(change.board) != nullptr;
  if (core::requires_evidence(change.board) && !has_review) {
    core::remark(task, core::WorkRemark::no_evidence);
    return apply(ctx, change, Verb::block, {.reason = run.reason});
  }
  if (task.result.empty() || !run.result.empty()) task.result = run.result;
  auto const kind = submit_work(ctx, change);
  core::remark(task, core::WorkRemark::no_evidence);
  return kind;
}

/// The agent reported that nothing had to be changed. A person looks at that, unless the board or the task
/// asks for no verdict.
EventKind finish_without_change(OperationContext& ctx, Change& change, core::Run const& run) {
  change.after.result = run.result.empty() ? run.no_change : run.result;
  bool const is_judged =
      core::needs_review(change.board, change.after) && core::requires_evidence(change.board);
  auto const kind = is_judged ? submit_work(ctx, change) : finish_work(ctx, change);
  core::remark(change.after, core::WorkRemark::no_change);
  return kind;
}

/// A reviewer must know that people and other agents change the same files, so the run's evidence may be
/// theirs.
void flag_shared_directory(Change& change, FinishRunRequest const& r) {
  bool const is_shared = !change.board.repo.empty() && !change.board.worktree;
  if (is_shared && (!r.commits.empty() || r.files_changed > 0))
    core::remark(change.after, core::WorkRemark::shared_directory);
}

EventKind hand_over_work(OperationContext& ctx, Change& change, core::Run const& run,
                         FinishRunRequest const& r) {
  auto const* review = core::review_column(change.board);
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
  change.after.result = run.result.empty() ? run.no_change : run.result;
  flag_shared_directory(change, r);
  return finish_work(ctx, change);
}

EventKind block_as_reported(OperationContext& ctx, Change& change, core::Run const& run) {
  core::VerbInput input{.reason = run.reason};
  if (run.said == AgentReport::block)
    input.asks = core::Question{run.reason, run.choices, "worker:" + run.worker, ctx.now};
  return apply(ctx, change, Verb::block, input);
}

/// The attempt never began: it does not count.
void uncount_attempt(core::Task& task) { task.attempt = std::max(0, task.attempt - 1); }

EventKind take_back(OperationContext& ctx, Change& change) {
  uncount_attempt(change.after);
  return apply(ctx, change, Verb::recover);
}

/// The machine ran out of memory. The attempt does not count, unless the run alone needs too much.
EventKind wait_for_memory(OperationContext& ctx, Change& change, core::Run const& run) {
  if (needs_whole_machine(ctx, run)) return apply(ctx, change, Verb::fail, {.reason = run.reason});
  auto const kind = take_back(ctx, change);
  change.after.state.retry_at = change.after.not_before = ctx.now + kMemoryPause;
  return kind;
}

/// Nothing can be put back in a directory that the run shares with others.
bool left_changes(Change const& change, core::Run const& run, FinishRunRequest const& r) {
  return run.plans && !change.board.worktree && (!r.commits.empty() || r.files_changed > 0);
}

/// The plan waits for a person, and the attempt does not count. The last words are the plan of an agent that
/// wrote none.
EventKind propose_plan(OperationContext& ctx, Change& change, core::Run const& run) {
  auto& task = change.after;
  if (!has_plan_of(ctx, run))
    keep_plan(ctx, task.id, std::string{core::beginning(run.result, core::kPlanBytes)},
              "worker:" + run.worker, run.id);
  task.plan_state = core::PlanState::proposed;
  task.state.last_failure.clear();
  uncount_attempt(task);
  core::remark(task, core::WorkRemark::plan);
  return core::review_column(change.board)
             ? apply(ctx, change, Verb::submit, {.result = task.result})
             : apply(ctx, change, Verb::block, {.reason = std::string{core::kPlanWaits}});
}

/// Whether the run ended as one that has done its part.
bool has_planned(core::Run const& run) {
  return run.plans && (run.outcome == Outcome::succeeded || run.outcome == Outcome::handed_off);
}

EventKind apply_outcome(OperationContext& ctx, Change& change, core::Run const& run,
                        FinishRunRequest const& r) {
  auto& task = change.after;
  if (r.stopped_because == core::StopReason::unfit || r.stopped_because == core::StopReason::withdrawn ||
      r.stopped_because == core::StopReason::fault)
    return take_back(ctx, change);
  if (r.stopped_because == core::StopReason::short_of_memory) return wait_for_memory(ctx, change, run);
  // Its next run finishes what this one left open; the attempt is theirs together.
  if (core::goes_on(run)) return take_back(ctx, change);
  if (crash_scope(ctx, run) == core::CrashScope::account) return take_back(ctx, change);
  if (r.stopped_because == core::StopReason::workspace) uncount_attempt(task);
  // A person decides whether the task may run for so long again.
  if (r.stopped_because == core::StopReason::timed_out && *run.outcome == Outcome::timed_out)
    return apply(ctx, change, Verb::block, {.reason = run.reason});
  if (has_planned(run)) return propose_plan(ctx, change, run);
  switch (*run.outcome) {
    case Outcome::succeeded: return finish_as_reported(ctx, change, run, r);
    case Outcome::handed_off: return hand_over_work(ctx, change, run, r);
    case Outcome::incomplete: return finish_without_evidence(ctx, change, run);
    case Outcome::lost:
      return apply(ctx, change, task.attempt >= task.max_attempts ? Verb::fail : Verb::recover,
                   {.reason = run.reason});
    // The account rests, not the task: a worker with another one may take it at once.
    case Outcome::rate_limited: return take_back(ctx, change);
    case Outcome::killed: return apply(ctx, change, Verb::kill);
    case Outcome::over_budget:
    case Outcome::blocked: return block_as_reported(ctx, change, run);
    case Outcome::failed:
    case Outcome::timed_out: break;
  }
  return apply(ctx, change, Verb::fail, {.reason = run.reason});
}

/// Accepts the work of a run that ended well, on a board with `review_by: checks`, when every check of its
/// task is green; else a person is asked. The actor is `system`.
void judge_work(OperationContext& ctx, core::Run const& run) {
  auto change = load_change(ctx, run.task);
  if (!change) return;
  auto const& task = change->before;
  bool const is_judged = change->board.review_by.kind == core::Reviewer::checks && !run.plans;
  if (!is_judged || !core::is_in_review(task.stage) || task.run != run.id) return;
  bool const is_plain = task.state.remark == core::WorkRemark::none && run.outcome == Outcome::succeeded;
  if (!is_plain || !core::are_green(task.checks, run.checks)) return;
  auto engine = as_system(ctx);
  place_or_queue(engine, *change, Stage::done);
  save(engine, *change, EventKind::task_accepted, {{"reason", "evidence and every check green"}});
}

Facts facts_of_end(OperationContext& ctx, core::Run const& run) {
  Facts out{{"reason", run.reason},
            {"outcome", std::string{core::kOutcomeNames[static_cast<std::size_t>(*run.outcome)]}}};
  if (auto const plan = has_planned(run) ? kept_plan(ctx, run.task) : std::nullopt)
    out.emplace_back("plan", plan->sha256);
  return out;
}

/// The actor of the change that the end of a run makes to its task: the one that ordered the stop; the
/// worker, for an outcome that its agent reported or reached; or else Andon.
Caller voice_of(OperationContext const& ctx, core::Run const& run) {
  auto const orderer = run.stop ? core::parse_actor(run.stop->by) : std::nullopt;
  if (orderer) return {*orderer, Role::admin, ctx.caller.source, {}};
  bool const is_own = run.said || *run.outcome == Outcome::succeeded;
  return is_own ? ctx.caller : as_system(ctx).caller;
}

}  // namespace

bool has_evidence(OperationContext& ctx, core::Run const& run, FinishRunRequest const& r) {
  auto const task = ctx.tx.task(run.task);
  auto const* board = ctx.tx.board(run.board);
  bool const gave_verdict =
      task && task->state.reviews != 0 && run.said == AgentReport::done && has_verdict(ctx, *task);
  if (run.plans || was_seen_to_work(run, r) || gave_verdict || !run.no_change.empty()) return true;
  bool const must_be_seen =
      board && !board->repo.empty() && (!task || !core::is_done_in_words(*board, *task));
  if (must_be_seen) return false;
  return std::ranges::any_of(r.checks, &core::CheckResult::passed) || !run.result.empty() ||
         r.result.find_first_not_of(" \n\t") != std::string::npos;
}

bool owes_plan(OperationContext& ctx, core::Run const& run, FinishRunRequest const& r) {
  bool const has_words = (r.result + run.result).find_first_not_of(" \r\n\t") != std::string::npos;
  return run.plans && !has_words && !has_plan_of(ctx, run);
}

void apply_run_result(OperationContext& ctx, core::Run const& run, FinishRunRequest const& r) {
  auto loaded = load_change(ctx, run.task);
  if (!loaded) return;
  auto& change = *loaded;
  change.after.state.stopping = false;
  auto kind = EventKind::task_edited;
  bool const still_its_claim = change.before.epoch == run.epoch && !change.before.claimed_by.empty();
  if (run.stop && still_its_claim)
    kind = apply_order(ctx, change, *run.stop);
  else if (still_its_claim)
    kind = apply_outcome(ctx, change, run, r);
  else if (run.said == AgentReport::done && change.after.result.empty())
    change.after.result = run.result;
  if (still_its_claim && left_changes(change, run, r))
    core::remark(change.after, core::WorkRemark::plan_changed_files);
  auto const teller = voice_of(ctx, run);
  OperationContext voice{ctx.tx, ctx.now, teller, ctx.jitter, ctx.mutation, {}, ctx.origin, ctx.zones};
  bool const waits_to_land = core::is_held_by_engine(change.after);
  if (kind == EventKind::task_edited && !waits_to_land)
    touch(ctx, change.after);
  else
    save(voice, change, kind, facts_of_end(ctx, run));
  if (!run.stop) judge_work(ctx, run);
  if (auto const settled = ctx.tx.task(run.task)) queue_landing(ctx, *settled);
}

}  // namespace andon::service
