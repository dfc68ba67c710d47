#include "service/runs/run_brief.hpp"

#include <algorithm>

#include "core/runs/conversation.hpp"
#include "core/runs/retry.hpp"
#include "core/tasks/claim.hpp"
#include "core/tasks/pick.hpp"
#include "core/tasks/plan_rule.hpp"
#include "service/runs/feedback.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/run_guard.hpp"
#include "service/tasks/kernel/kept_plan.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kRunsOfConversation = 200;
constexpr std::size_t kMostBeside = 10;

/// Parent first, then dependencies.
std::vector<core::Task> builds_on(OperationContext& ctx, core::Task const& task) {
  auto related = task.depends_on;
  if (task.parent) related.insert(related.begin(), *task.parent);
  std::vector<core::Task> out;
  for (auto const id : related)
    if (auto other = ctx.tx.task(id)) out.push_back(*std::move(other));
  return out;
}

std::vector<core::Task> work_beside(OperationContext& ctx, core::Task const& task, core::Board const& board) {
  auto out = ctx.tx.longest_started(board.id, kMostBeside + 1);
  std::erase_if(
      out, [&](core::Task const& other) { return other.id == task.id || !core::is_claimed(other, ctx.now); });
  if (out.size() > kMostBeside) out.resize(kMostBeside);
  return out;
}

/// The run of the task whose open work the next one finishes.
std::optional<core::Run> left_open(OperationContext& ctx, core::Task const& task) {
  auto runs = ctx.tx.runs_of(task.id);
  std::ranges::sort(runs, std::greater{}, &core::Run::id);
  auto const* last = core::last_word(runs);
  return last && core::goes_on(*last) ? std::optional{*last} : std::nullopt;
}

/// A worker also goes on with the session of a run that left work open, whatever its conversations are.
std::optional<EarlierConversation> earlier_conversation(OperationContext& ctx, core::Task const& task,
                                                        core::Worker const& worker, bool goes_on) {
  core::SessionKey talk{worker.conversation, worker.name, task.board, task.id};
  if (talk.wish == core::Conversation::fresh && !goes_on) return std::nullopt;
  if (talk.wish == core::Conversation::fresh) talk.wish = core::Conversation::task;
  auto runs = talk.wish == core::Conversation::task ? ctx.tx.runs_of(task.id)
                                                    : ctx.tx.recent_runs(kRunsOfConversation);
  // A conversation is on the host of its runner.
  std::erase_if(runs, [&](core::Run const& run) { return run.runner != ctx.server; });
  std::ranges::sort(runs, {}, &core::Run::id);
  auto of_task = talk;
  if (goes_on) of_task.wish = core::Conversation::task;
  auto const* last = core::to_continue(runs, of_task);
  if (!last) return std::nullopt;
  auto const guard = ctx.tx.guard(last->id).value_or(core::RunGuard{});
  return EarlierConversation{last->id, last->session, core::used_in(runs, talk, last->session), guard.agent,
                             guard.cwd};
}

/// The worker that holds the task or would get it.
Result<core::Worker> likely_worker(OperationContext& ctx, core::Task const& task, core::Board const& board) {
  if (auto const* holder = ctx.tx.worker(task.claimed_by)) return *holder;
  auto const workers = ctx.tx.workers();
  for (auto const& worker : workers) {
    core::Picker const picker{worker.name, worker.role, true, worker.takes_unassigned};
    if (core::serves(worker, board.name) && core::fits(picker, task)) return worker;
  }
  return core::refuse(Code::kInvalidInput,
                      "no worker would get task #" + std::to_string(task.id) + "; name one with \"worker\"",
                      "worker");
}

Result<core::Worker> asked_worker(OperationContext& ctx, PromptRequest const& r, core::Task const& task,
                                  core::Board const& board) {
  if (!is_run(ctx))
    return r.worker.empty() ? likely_worker(ctx, task, board) : find_worker(ctx, r.worker, "worker");
  auto const& own = ctx.caller.run->worker;
  if (r.worker.empty() || r.worker == own) return find_worker(ctx, own, "worker");
  return core::refuse(Code::kForbidden, "a run sees only the prompts of its own worker", "worker");
}

/// Whether the run under way, or else the next one, is a planning run.
bool plans_in(OperationContext& ctx, core::Task const& task, core::Worker const& worker) {
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  return run && run->state != core::RunState::ended ? run->plans : core::needs_plan(task, worker);
}

}  // namespace

RunBrief brief_of(OperationContext& ctx, core::Run run, core::Task task, core::Worker worker,
                  core::Board const& board) {
  RunBrief brief;
  brief.run = std::move(run);
  brief.context = builds_on(ctx, task);
  brief.beside = work_beside(ctx, task, board);
  brief.feedback = feedback_on(ctx, task);
  brief.checks = checks_of(board, task);
  brief.place = place_of(ctx, task.id);
  brief.branch = branch_of(ctx, task.id);
  if (brief.run.plans || task.plan_state == core::PlanState::accepted) brief.plan = kept_plan(ctx, task.id);
  auto const open = left_open(ctx, task);
  brief.earlier = earlier_conversation(ctx, task, worker, open && open->worker == worker.name);
  if (open) brief.unfinished = open->reason;
  brief.task = std::move(task);
  brief.task.body = ctx.tx.body(brief.task.id).value_or("");
  brief.worker = std::move(worker);
  brief.board = board;
  return brief;
}

Result<RunBrief> prompt_of(OperationContext& ctx, PromptRequest const& r) {
  ANDON_TRY(auto task, find_task(ctx, r.id));
  ANDON_TRY(auto const* board, board_of(ctx, task));
  ANDON_TRY(auto worker, asked_worker(ctx, r, task, *board));
  core::Run run;
  run.task = task.id;
  run.board = task.board;
  run.worker = worker.name;
  run.plans = plans_in(ctx, task, worker);
  // The claim counts the attempt. The prompt of a task in work describes the attempt under way.
  if (!core::is_claimed(task, ctx.now)) ++task.attempt;
  run.attempt = task.attempt;
  return brief_of(ctx, std::move(run), std::move(task), std::move(worker), *board);
}

}  // namespace andon::service
