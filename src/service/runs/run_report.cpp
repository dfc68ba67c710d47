#include "service/runs/run_report.hpp"

#include <algorithm>

#include "core/runs/outcome.hpp"
#include "core/runs/retry.hpp"
#include "core/tasks/plan_rule.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "service/check_text.hpp"
#include "service/limits/accounts.hpp"
#include "service/limits/budgets.hpp"
#include "service/limits/faults.hpp"
#include "service/limits/machine.hpp"
#include "service/remote_runners.hpp"
#include "service/runs/crash_loop.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/run_result.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/dependencies.hpp"
#include "service/tasks/kernel/placement.hpp"
#include "service/tasks/kernel/verdict.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::EventKind;
using core::Result;
using core::Stage;

void tell_run(OperationContext& ctx, core::Run const& run, EventKind kind, Facts const& facts) {
  core::Event event;
  event.kind = kind;
  event.board = run.board;
  event.task = run.task;
  event.run = run.id;
  append_event(ctx, std::move(event), facts);
}

/// The price of the run, or that it has none; nothing for a run that never began.
void add_cost(core::Run const& run, Facts& facts) {
  auto const spent = core::spent_by(run);
  if (auto const cost = core::known_cost(spent))
    facts.emplace_back("cost_usd", std::to_string(*cost));
  else if (spent.runs > 0)
    facts.emplace_back("unpriced", "true");
}

constexpr std::size_t kMostTold = 100;  ///< paths that are left out, and remarks
constexpr std::size_t kMostCommits = 1'000;
constexpr std::size_t kToldBytes = 4'096;  ///< of each

constexpr char kOutlived[] = "what it left running after its report was stopped";

core::StopReason why_stopped(core::StopOrder const& order) {
  return order.verb == core::Verb::exhaust ? core::StopReason::over_budget : core::StopReason::killed;
}

/// Whether the word that work is done is not enough: checks have to pass, or changes have to be seen. A run
/// whose processes were lost has neither.
bool needs_proof(OperationContext& ctx, core::Run const& run) {
  auto const task = ctx.tx.task(run.task);
  auto const* board = ctx.tx.board(run.board);
  return run.said == core::AgentReport::done && !run.plans && task && board &&
         (!board->repo.empty() || !checks_of(*board, *task).empty());
}

core::Ending ending_of(OperationContext& ctx, core::Run const& run, FinishRunRequest const& r) {
  core::Ending ending;
  ending.stopped_because = run.stop ? why_stopped(*run.stop) : r.stopped_because;
  // Processes that are gone or silent after the agent's report are no reason for another outcome.
  bool const came_after =
      ending.stopped_because == core::StopReason::lost || ending.stopped_because == core::StopReason::stale;
  if (came_after && run.said && !needs_proof(ctx, run)) ending.stopped_because.reset();
  ending.said = run.said;
  ending.has_result = r.has_result;
  ending.result_is_error = r.result_is_error;
  ending.result_text = r.result;
  ending.unfinished = core::beginning(r.unfinished, kToldBytes);
  ending.exit = r.exit;
  ending.has_evidence = has_evidence(ctx, run, r);
  auto const task = ctx.tx.task(run.task);
  ending.owes_verdict = task && owes_verdict(ctx, *task);
  // A verdict that has been given is all that a review is for.
  if (task && task->state.reviews != 0 && has_verdict(ctx, *task)) ending.unfinished.clear();
  ending.owes_plan = owes_plan(ctx, run, r);
  ending.failed_check = core::failed_check(r.checks).value_or("");
  return ending;
}

/// The runs of a task before the given one, newest first.
std::vector<core::Run> runs_before(OperationContext& ctx, core::Run const& run) {
  auto out = ctx.tx.runs_of(run.task);
  std::erase_if(out, [&](core::Run const& other) { return other.id >= run.id; });
  std::ranges::sort(out, std::greater{}, &core::Run::id);
  return out;
}

/// The place of a run that left work open in the row of such ends of its task.
int unfinished_in_row(OperationContext& ctx, core::Run const& run) {
  auto const before = runs_before(ctx, run);
  auto const* last = core::last_word(before);
  return last ? last->unfinished + 1 : 1;
}

/// A result without the blanks and line ends that programs print behind their last words.
std::string last_words(std::string_view text) {
  auto const end = text.find_last_not_of(" \t\r\n");
  return std::string{
      core::beginning(text.substr(0, end == std::string_view::npos ? 0 : end + 1), kResultBytes)};
}

/// Bounds the texts of the report that come from names that an agent chose.
void keep_bounded(FinishRunRequest& r) {
  for (auto* text : {&r.session, &r.branch, &r.base, &r.head, &r.excess})
    *text = core::beginning(*text, kToldBytes);
  r.unfinished = core::beginning(r.unfinished, kNoteBytes);
  if (r.commits.size() > kMostCommits) r.commits.resize(kMostCommits);
  for (auto& commit : r.commits) commit = core::beginning(commit, kToldBytes);
  if (r.checks.size() > kMostTold) r.checks.resize(kMostTold);
  for (auto& check : r.checks) {
    check.name = core::beginning(check.name, kToldBytes);
    check.output = core::beginning(check.output, kNoteBytes);
  }
  if (r.left_out.size() > kMostTold) r.left_out.resize(kMostTold);
  if (r.remarks.size() > kMostTold) r.remarks.resize(kMostTold);
  for (auto& left : r.left_out)
    for (auto* text : {&left.path, &left.reason})
      *text = core::beginning(core::keepable_text(std::move(*text)), kToldBytes);
  if (r.windows.size() > kMostTold) r.windows.resize(kMostTold);
  for (auto& window : r.windows)
    window.name = core::beginning(core::keepable_text(std::move(window.name)), kToldBytes);
  for (auto& remark : r.remarks) remark = core::beginning(core::keepable_text(std::move(remark)), kToldBytes);
}

/// Agents and checks print what they like.
FinishRunRequest with_keepable_texts(FinishRunRequest r) {
  for (auto* text : {&r.result, &r.session, &r.branch, &r.base, &r.head, &r.excess, &r.unfinished})
    *text = core::keepable_text(std::move(*text));
  for (auto& commit : r.commits) commit = core::keepable_text(std::move(commit));
  for (auto& check : r.checks) {
    check.name = core::keepable_text(std::move(check.name));
    check.output = core::keepable_text(std::move(check.output));
  }
  if (r.fault) {
    r.fault->cause = core::beginning(core::keepable_text(std::move(r.fault->cause)), kToldBytes);
    r.fault->text = core::beginning(core::keepable_text(std::move(r.fault->text)), kToldBytes);
  }
  // A fault that nobody names holds nothing back, so that its attempt counts.
  if (!r.fault && r.stopped_because == core::StopReason::fault) r.stopped_because.reset();
  keep_bounded(r);
  return r;
}

bool tells_excess(FinishRunRequest const& r) {
  return r.stopped_because == core::StopReason::over_limit ||
         r.stopped_because == core::StopReason::short_of_memory;
}

/// The account may have met its limit since the run was opened, also while no server was there. A run has its
/// place among those of a recovering account since it was opened.
Result<void> choose_agent(OperationContext& ctx, core::Run& run, core::Worker& worker) {
  auto const account = account_of(ctx, run.agent);
  if (run.agent.empty() || account.paused || core::is_limited(account, ctx.now) ||
      why_no_agent(ctx, run.agent)) {
    ANDON_SET(run.agent, usable_agent(ctx, worker));
    ctx.tx.put(run);
  }
  worker.agent = run.agent;
  return {};
}

/// A supervising process counts its lease from its own start, which comes after this.
void renew_lease(OperationContext& ctx, core::Run const& run, core::Task& task) {
  auto const* board = ctx.tx.board(task.board);
  bool const is_held = board && task.epoch == run.epoch && !task.claimed_by.empty();
  if (is_held) core::renew(task, lease_of(*board, task), ctx.now);
}

/// A person may have asked for a plan since the run was opened.
void plan_first_if_asked(OperationContext& ctx, core::Run& run, core::Task const& task,
                         core::Worker const& worker) {
  bool const plans = core::needs_plan(task, worker);
  if (run.plans == plans) return;
  run.plans = plans;
  ctx.tx.put(run);
}

/// Keeps what the runner found out about the work of a run. A reported result takes precedence over the last
/// printed text.
void keep_findings(core::Run& run, FinishRunRequest const& r) {
  run.exit = r.exit;
  run.session = r.session;
  bool const has_reported = run.said && !run.result.empty();
  if (!r.result.empty() && !has_reported) run.result = last_words(r.result);
  run.branch = r.branch;
  run.commits = r.commits;
  run.files_changed = r.files_changed;
  run.checks = r.checks;
  run.base = r.base;
  run.head = r.head;
  run.diff_size = r.diff_size;
  run.left_out = r.left_out;
  run.left_out_count = std::max(r.left_out_count, static_cast<std::int64_t>(r.left_out.size()));
  run.remarks = r.remarks;
  run.peak_memory = std::max<std::int64_t>(r.peak_memory, 0);
  run.cpu_time = r.cpu_time;
  if (r.usage) run.usage = r.usage;
}

/// Adds to a run that was given up how it ended for its runner. The outcome stays: the task went its way.
core::Run told_late(OperationContext& ctx, core::Run run, FinishRunRequest const& r) {
  bool const is_new = is_runner(ctx) && run.outcome == core::Outcome::lost && !run.told_late &&
                      r.stopped_because != core::StopReason::withdrawn;
  if (!is_new) return run;
  auto const before = run;
  run.told_late = true;
  keep_findings(run, r);
  ctx.tx.put(run);
  count_spending(ctx, before, run);
  auto const commits = std::to_string(run.commits.size());
  tell_run(ctx, run, EventKind::task_noted,
           {{"text", "run " + std::to_string(run.id) + " was given up; its runner tells now that it made " +
                         commits + (run.commits.size() == 1 ? " commit" : " commits") +
                         (run.branch.empty() ? "" : " on " + run.branch)}});
  return run;
}

}  // namespace

Result<RunBrief> begin_run(OperationContext& ctx, BeginRunRequest const& r) {
  ANDON_TRY(auto run, own_run(ctx, r.id));
  if (run.state != core::RunState::starting || run.pid)
    return core::refuse(Code::kConflict, "run " + std::to_string(r.id) + " has begun already");
  ANDON_TRY(auto task, find_task(ctx, run.task));
  ANDON_TRY(auto const* board, board_of(ctx, task));
  ANDON_TRY(auto worker, find_worker(ctx, run.worker));
  ANDON_CHECK(choose_agent(ctx, run, worker));
  plan_first_if_asked(ctx, run, task, worker);
  ANDON_CHECK(check_dependencies_closed(ctx, task));
  Change change{task, *board};
  if (task.stage != Stage::active) ANDON_CHECK(check_room(ctx, change, Stage::active));
  store::Token token;
  token.hash = r.token_hash;
  token.kind = core::TokenKind::run;
  token.name = run.worker;
  token.run = run.id;
  token.task = run.task;
  token.epoch = run.epoch;
  token.board = run.board;
  token.created = ctx.now;
  ctx.changed_credentials.push_back(token.hash);
  ctx.tx.add(std::move(token));
  if (task.stage != Stage::active) {
    place(change, Stage::active, ctx.now);
    task = save(ctx, change, EventKind::task_started);
  }
  auto brief = brief_of(ctx, std::move(run), std::move(task), std::move(worker), *board);
  brief.allowance = allowance_of(ctx, brief.run);
  return brief;
}

Result<core::Run> adopt_run(OperationContext& ctx, AdoptRunRequest const& r) {
  ANDON_TRY(auto run, own_run(ctx, r.id));
  if (run.state == core::RunState::ended)
    return core::refuse(Code::kStaleClaim, "run " + std::to_string(r.id) + " has ended");
  bool const again = run.pid.has_value();
  run.pid = r.pid;
  run.process = r.process;
  run.progress = ctx.now;
  if (run.state == core::RunState::starting) run.state = core::RunState::running;
  ctx.tx.put(run);
  if (r.guard) {
    auto guard = *r.guard;
    if (auto const runner = is_runner(ctx) ? runner_named(ctx, run.runner) : std::nullopt)
      guard.host = runner->place;
    ctx.tx.put(run.id, guard);
  }
  if (auto task = ctx.tx.task(run.task)) {
    renew_lease(ctx, run, *task);
    touch(ctx, *std::move(task));
  }
  tell_run(ctx, run, again ? EventKind::run_adopted : EventKind::run_started,
           {{"worker", run.worker}, {"agent", run.agent}});
  return run;
}

void revoke_run_token(OperationContext& ctx, core::Run const& run) {
  for (auto& token : ctx.tx.tokens_of_run(run.id)) {
    token.revoked = ctx.now;
    ctx.tx.put(token);
    ctx.changed_credentials.push_back(token.hash);
  }
}

Result<core::Run> finish_run(OperationContext& ctx, FinishRunRequest const& given) {
  auto const r = with_keepable_texts(given);
  ANDON_TRY(auto run, supervised_run(ctx, r.id));
  if (run.state == core::RunState::ended) return told_late(ctx, run, r);
  auto const before = run;
  auto const judgement = core::judge(ending_of(ctx, run, r));
  run.state = core::RunState::ended;
  run.outcome = judgement.outcome;
  if (run.reason.empty() || !run.said) run.reason = judgement.reason;
  if (judgement.is_unfinished) run.unfinished = unfinished_in_row(ctx, run);
  bool const outlived =
      r.stopped_because == core::StopReason::reported && run.outcome == core::Outcome::succeeded;
  if (outlived && run.reason.empty()) run.reason = kOutlived;
  if (run.outcome == core::Outcome::over_budget && run.stop) run.reason = run.stop->reason;
  bool const never_began =
      r.stopped_because == core::StopReason::unfit || r.stopped_because == core::StopReason::withdrawn ||
      r.stopped_because == core::StopReason::workspace || r.stopped_because == core::StopReason::fault;
  if (never_began) run.reason = r.result;
  if (!r.excess.empty() && tells_excess(r)) run.reason = r.excess;
  run.ended = ctx.now;
  keep_findings(run, r);
  end_over_budget(ctx, run);
  ctx.tx.put(run);
  count_spending(ctx, before, run);
  auto const crashed = crash_scope(ctx, run);
  apply_run_result(ctx, run, r);
  remember_peak(ctx, run);
  learn_of_fault(ctx, run, r.fault);
  pause_if_unfit(ctx, run, r.stopped_because);
  hold_after_crash(ctx, run, crashed);
  learn_of_account(ctx, run, {r.resets_at, r.windows, r.stopped_because == core::StopReason::overloaded});
  revoke_run_token(ctx, run);
  Facts facts{{"outcome", std::string{core::kOutcomeNames[static_cast<std::size_t>(*run.outcome)]}},
              {"reason", run.reason},
              {"worker", run.worker}};
  add_cost(run, facts);
  tell_run(ctx, run, EventKind::run_ended, facts);
  return run;
}

Result<core::Run> report_usage(OperationContext& ctx, UsageRequest const& r) {
  ANDON_TRY(auto run, supervised_run(ctx, r.id));
  if (run.state == core::RunState::ended)
    return core::refuse(Code::kStaleClaim, "run " + std::to_string(r.id) + " has ended");
  auto const before = run;
  if (r.usage) run.usage = r.usage;
  run.progress = ctx.now;
  ctx.tx.put(run);
  count_spending(ctx, before, run);
  stop_over_budget(ctx, run);
  return *ctx.tx.run(run.id);
}

}  // namespace andon::service
