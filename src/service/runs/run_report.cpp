#include "service/runs/run_report.hpp"

#include <algorithm>

#include "core/text/names.hpp"
#include "service/limits/accounts.hpp"
#include "service/limits/budgets.hpp"
#include "service/runs/crash_loop.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/settle.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/landing.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::EventKind;
using core::Result;
using core::Stage;

constexpr std::size_t kRecentRuns = 200;

Result<core::Run> find_run(Unit& u, core::RunId id) {
  auto run = u.tx.run(id);
  bool const hidden = run && is_run(u) && u.caller.run->board != run->board;
  if (run && !hidden) return *std::move(run);
  return core::refuse(
      core::Error{Code::kRunNotFound, "there is no run " + std::to_string(id), "id", {}, {}}.with("id", id));
}

/// A run reports only about itself.
Result<core::Run> own_run(Unit& u, core::RunId id) {
  ANDON_TRY(auto run, find_run(u, id));
  if (is_run(u) && u.caller.run->run != id)
    return core::refuse(Code::kForbidden, "a run may report only about itself", "id");
  return run;
}

void tell_run(Unit& u, core::Run const& run, EventKind kind, Facts const& facts) {
  core::Event event;
  event.kind = kind;
  event.board = run.board;
  event.task = run.task;
  event.run = run.id;
  tell(u, std::move(event), facts);
}

std::string why_stopped(core::StopOrder const& order) {
  return order.verb == kBudgetVerb ? "over_budget" : "killed";
}

/// Whether the word that work is done is not enough: checks have to pass, or changes have to be seen. A run
/// whose processes were lost has neither.
bool needs_proof(Unit& u, core::Run const& run) {
  auto const task = u.tx.task(run.task);
  auto const* board = u.tx.board(run.board);
  return run.said == "done" && task && board && (!board->repo.empty() || !checks_of(*board, *task).empty());
}

core::Ending ending_of(Unit& u, core::Run const& run, FinishRunRequest const& r) {
  core::Ending ending;
  ending.stopped_because = run.stop ? why_stopped(*run.stop) : r.stopped_because;
  // That its processes are gone or were silent afterwards is no reason of ours: what the agent said stands.
  bool const came_after = ending.stopped_because == "lost" || ending.stopped_because == "stale";
  if (came_after && !run.said.empty() && !needs_proof(u, run)) ending.stopped_because.clear();
  ending.said = run.said;
  ending.has_result = r.has_result;
  ending.result_is_error = r.result_is_error;
  ending.result_text = r.result;
  ending.exit = r.exit;
  ending.has_evidence = has_evidence(u, run, r);
  ending.failed_check = core::failed_check(r.checks).value_or("");
  return ending;
}

/// A result without the blanks and line ends that programs print behind their last words.
std::string last_words(std::string_view text) {
  auto const end = text.find_last_not_of(" \t\r\n");
  return std::string{
      core::beginning(text.substr(0, end == std::string_view::npos ? 0 : end + 1), kResultBytes)};
}

void revoke_token(Unit& u, core::Run const& run) {
  for (auto& token : u.tx.tokens_of_run(run.id)) {
    token.revoked = u.now;
    u.tx.put(token);
    u.changed_credentials.push_back(token.hash);
  }
}

}  // namespace

Result<core::Run> supervised_run(Unit& u, core::RunId id) {
  ANDON_TRY(auto run, own_run(u, id));
  if (!is_run(u) || (run.pid && u.caller.run->process == run.process)) return run;
  if (!run.pid) return core::refuse(Code::kBusy, "the run is about to begin; try again");
  return core::refuse(
      Code::kForbidden,
      "only the process that supervises a run may tell that; report with complete, fail or block", "id");
}

Result<core::Run> get_run(Unit& u, RunRequest const& r) { return find_run(u, r.id); }

Result<Runs> list_runs(Unit& u, ListRunsRequest const& r) {
  if (r.id) return runs_of_task(u, {*r.id});
  return Runs{r.live ? u.tx.live_runs() : u.tx.recent_runs(kRecentRuns)};
}

Result<Runs> runs_of_task(Unit& u, TaskRequest const& r) {
  ANDON_TRY(auto const task, find_task(u, r.id));
  return Runs{u.tx.runs_of(task.id)};
}

Result<RunBrief> begin_run(Unit& u, BeginRunRequest const& r) {
  ANDON_TRY(auto run, find_run(u, r.id));
  if (run.state != core::RunState::starting || run.pid)
    return core::refuse(Code::kConflict, "run " + std::to_string(r.id) + " has begun already");
  ANDON_TRY(auto task, find_task(u, run.task));
  ANDON_TRY(auto const* board, board_of(u, task));
  ANDON_TRY(auto worker, find_worker(u, run.worker));
  ANDON_CHECK(check_dependencies_closed(u, task));
  Change change{task, task, *board, {}, false, false};
  if (task.stage != Stage::active) ANDON_CHECK(check_room(u, change, Stage::active));
  store::Token token;
  token.hash = r.token_hash;
  token.kind = "run";
  token.name = run.worker;
  token.run = run.id;
  token.task = run.task;
  token.epoch = run.epoch;
  token.board = run.board;
  token.created = u.now;
  u.changed_credentials.push_back(token.hash);
  u.tx.add(std::move(token));
  if (task.stage != Stage::active) {
    place(change, Stage::active, u.now);
    task = save(u, change, EventKind::task_started);
  }
  auto brief = brief_of(u, std::move(run), std::move(task), std::move(worker), *board);
  brief.allowance = allowance_of(u, brief.run);
  return brief;
}

Result<core::Run> adopt_run(Unit& u, AdoptRunRequest const& r) {
  ANDON_TRY(auto run, own_run(u, r.id));
  if (run.state == core::RunState::ended)
    return core::refuse(Code::kStaleClaim, "run " + std::to_string(r.id) + " has ended");
  bool const again = run.pid.has_value();
  run.pid = r.pid;
  run.process = r.process;
  run.progress = u.now;
  if (run.state == core::RunState::starting) run.state = core::RunState::running;
  u.tx.put(run);
  if (r.guard) u.tx.put(run.id, *r.guard);
  if (auto task = u.tx.task(run.task)) show_anew(u, *std::move(task));
  tell_run(u, run, again ? EventKind::run_adopted : EventKind::run_started, {{"worker", run.worker}});
  return run;
}

Result<core::Run> finish_run(Unit& u, FinishRunRequest const& r) {
  ANDON_TRY(auto run, supervised_run(u, r.id));
  if (run.state == core::RunState::ended) return run;
  auto const before = run;
  auto const judgement = core::judge(ending_of(u, run, r));
  run.state = core::RunState::ended;
  run.outcome = judgement.outcome;
  if (run.reason.empty() || run.said.empty()) run.reason = judgement.reason;
  if (run.outcome == core::Outcome::over_budget && run.stop) run.reason = run.stop->reason;
  bool const never_began =
      r.stopped_because == "unfit" || r.stopped_because == "withdrawn" || r.stopped_because == "workspace";
  if (never_began) run.reason = r.result;
  run.ended = u.now;
  run.exit = r.exit;
  run.session = r.session;
  // What the agent reported on purpose says more than what it printed last.
  bool const has_reported = !run.said.empty() && !run.result.empty();
  if (!r.result.empty() && !has_reported) run.result = last_words(r.result);
  run.branch = r.branch;
  run.commits = r.commits;
  run.files_changed = r.files_changed;
  run.checks = r.checks;
  run.base = r.base;
  run.head = r.head;
  if (r.usage) run.usage = r.usage;
  end_over_budget(u, run);
  u.tx.put(run);
  count_spending(u, before, run);
  settle_task(u, run, r);
  pause_if_unfit(u, run, r.stopped_because);
  pause_if_looping(u, run);
  learn_of_account(u, run, r.resets_at);
  revoke_token(u, run);
  tell_run(u, run, EventKind::run_ended,
           {{"outcome", std::string{core::kOutcomeNames[static_cast<std::size_t>(*run.outcome)]}},
            {"reason", run.reason},
            {"worker", run.worker}});
  return run;
}

Result<core::Run> report_usage(Unit& u, UsageRequest const& r) {
  ANDON_TRY(auto run, supervised_run(u, r.id));
  if (run.state == core::RunState::ended)
    return core::refuse(Code::kStaleClaim, "run " + std::to_string(r.id) + " has ended");
  auto const before = run;
  if (r.usage) run.usage = r.usage;
  run.progress = u.now;
  u.tx.put(run);
  count_spending(u, before, run);
  stop_over_budget(u, run);
  return *u.tx.run(run.id);
}

}  // namespace andon::service
