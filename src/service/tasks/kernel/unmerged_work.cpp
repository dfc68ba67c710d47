#include "service/tasks/kernel/unmerged_work.hpp"

#include <algorithm>
#include <charconv>

#include "core/runs/outcome.hpp"
#include "core/tasks/claim.hpp"
#include "core/tasks/review_rule.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::LandingState;
using core::Result;
using core::Stage;

/// Numbers of runs, in the order their work was accepted.
constexpr std::string_view kQueue = "landing.queue";
/// Numbers of runs, in the order a person was asked about them.
constexpr std::string_view kAsked = "landing.asked";
/// Numbers of runs, in the order their work came back.
constexpr std::string_view kReturned = "landing.returned";
constexpr std::size_t kMostReturned = 200;
constexpr char kTakenUp[] = "the task was taken up again";

std::vector<core::RunId> listed(OperationContext& ctx, std::string_view list) {
  std::vector<core::RunId> out;
  auto const kept = ctx.tx.setting(list).value_or("");
  std::string_view rest = kept;
  for (std::int64_t id = 0; !rest.empty();) {
    auto const parsed = std::from_chars(rest.data(), rest.data() + rest.size(), id);
    if (parsed.ec != std::errc{}) break;
    out.emplace_back(id);
    rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
    if (!rest.empty()) rest.remove_prefix(1);
  }
  return out;
}

void keep_list(OperationContext& ctx, std::string_view list, std::vector<core::RunId> const& runs) {
  std::string text;
  for (auto const id : runs) text += (text.empty() ? "" : " ") + std::to_string(id);
  ctx.tx.set_setting(list, text);
}

void enter(OperationContext& ctx, std::string_view list, core::RunId id) {
  auto runs = listed(ctx, list);
  if (std::ranges::find(runs, id) != runs.end()) return;
  runs.push_back(id);
  keep_list(ctx, list, runs);
}

void leave(OperationContext& ctx, std::string_view list, core::RunId id) {
  auto runs = listed(ctx, list);
  if (std::erase(runs, id) > 0) keep_list(ctx, list, runs);
}

/// Adds the run to those whose work came back, and drops those whose task has moved on.
void enter_returned(OperationContext& ctx, core::RunId id) {
  auto runs = listed(ctx, kReturned);
  std::erase_if(runs, [&](core::RunId other) {
    auto const run = ctx.tx.run(other);
    auto const task = run ? ctx.tx.task(run->task) : std::nullopt;
    return other == id || !task || !is_work_of(ctx, *task, *run) || core::is_terminal(task->stage);
  });
  if (runs.size() >= kMostReturned) runs.erase(runs.begin());
  runs.push_back(id);
  keep_list(ctx, kReturned, runs);
}

bool waits(core::Run const& run) { return run.landing && run.landing->state == LandingState::waiting; }
bool is_unlanded(core::Run const& run) { return waits(run) || is_asked(run); }

bool has_commits_to_land(core::Run const& run) {
  bool const has_ended = run.state == core::RunState::ended;
  bool const was_done_before = run.landing && run.landing->state != LandingState::withdrawn;
  return has_ended && !was_done_before && !run.head.empty() && !run.base.empty() && run.head != run.base &&
         !core::failed_check(run.checks);
}

}  // namespace

std::vector<core::RunId> queued_runs(OperationContext& ctx) { return listed(ctx, kQueue); }
std::vector<core::RunId> asked_runs(OperationContext& ctx) { return listed(ctx, kAsked); }
std::vector<core::RunId> returned_runs(OperationContext& ctx) { return listed(ctx, kReturned); }

Result<core::Run> run_to_land(OperationContext& ctx, core::RunId id) {
  auto run = ctx.tx.run(id);
  if (!run) return core::refuse(core::Error{Code::kRunNotFound, "there is no such run", "id", {}, {}});
  if (waits(*run) || waits_to_be_reverted(*run)) return *std::move(run);
  return core::refuse(Code::kConflict,
                      "the work of run " + std::to_string(id) + " does not wait to be landed or taken back");
}

void mark_landing(OperationContext& ctx, core::Run& run, LandingState state, std::string reason) {
  run.landing->state = state;
  run.landing->reason = std::move(reason);
  run.landing->at = ctx.now;
  ctx.tx.put(run);
  state == LandingState::waiting ? enter(ctx, kQueue, run.id) : leave(ctx, kQueue, run.id);
  state == LandingState::asked ? enter(ctx, kAsked, run.id) : leave(ctx, kAsked, run.id);
  state == LandingState::returned ? enter_returned(ctx, run.id) : leave(ctx, kReturned, run.id);
}

bool is_asked(core::Run const& run) { return run.landing && run.landing->state == LandingState::asked; }

bool waits_to_be_reverted(core::Run const& run) {
  return run.revert && run.revert->state == core::RevertState::waiting;
}

bool is_on_default_branch(core::Run const& run) {
  bool const is_reverted = run.revert && run.revert->state == core::RevertState::reverted;
  return run.landing && run.landing->state == LandingState::landed && !is_reverted;
}

std::vector<core::Run> landed_runs(OperationContext& ctx, core::TaskId task) {
  auto runs = ctx.tx.runs_of(task);
  std::erase_if(runs, [](core::Run const& run) { return !is_on_default_branch(run); });
  std::ranges::reverse(runs);
  return runs;
}

std::vector<std::string> squashed_heads(OperationContext& ctx, core::TaskId task) {
  std::vector<std::string> out;
  for (auto const& run : landed_runs(ctx, task))
    if (run.landing->squash) out.push_back(run.head);
  return out;
}

std::optional<core::Run> run_being_reverted(OperationContext& ctx, core::TaskId task) {
  auto runs = ctx.tx.runs_of(task);
  auto const found = std::ranges::find_if(runs, &waits_to_be_reverted);
  return found == runs.end() ? std::nullopt : std::optional{std::move(*found)};
}

void queue_revert(OperationContext& ctx, core::Run run, core::Revert revert) {
  run.revert = std::move(revert);
  mark_revert(ctx, run, core::RevertState::waiting, {});
  enter(ctx, kQueue, run.id);
}

void mark_revert(OperationContext& ctx, core::Run& run, core::RevertState state, std::string reason) {
  run.revert->state = state;
  run.revert->reason = std::move(reason);
  run.revert->at = ctx.now;
  ctx.tx.put(run);
  if (state != core::RevertState::waiting) leave(ctx, kQueue, run.id);
}

bool lands(core::Board const& board) {
  return board.worktree && !board.repo.empty() && board.land == core::LandingPolicy::automatic;
}

std::optional<core::Run> work_of(OperationContext& ctx, core::Task const& task) {
  auto last = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  if (!last || !last->head.empty() || last->state != core::RunState::ended) return last;
  auto const runs = ctx.tx.runs_of(task.id);
  auto const found = std::ranges::find_if(runs.rbegin(), runs.rend(),
                                          [](core::Run const& run) { return !run.head.empty(); });
  return found == runs.rend() ? last : std::optional{*found};
}

bool is_work_of(OperationContext& ctx, core::Task const& task, core::Run const& run) {
  auto const work = run.task == task.id ? work_of(ctx, task) : std::nullopt;
  return work && work->id == run.id;
}

bool has_work_to_land(OperationContext& ctx, core::Task const& task) {
  auto const run = work_of(ctx, task);
  return run && has_commits_to_land(*run);
}

void queue_landing(OperationContext& ctx, core::Task const& task) {
  auto const* board = ctx.tx.board(task.board);
  auto run = work_of(ctx, task);
  if (!board || !lands(*board) || !run || !has_commits_to_land(*run)) return;
  if (!core::is_done(task.stage) && !core::is_held_by_engine(task)) return;
  run->landing = core::Landing{};
  mark_landing(ctx, *run, LandingState::waiting, {});
}

void withdraw_landing(OperationContext& ctx, core::Task const& task) {
  if (auto run = waiting_run(ctx, task)) mark_landing(ctx, *run, LandingState::withdrawn, kTakenUp);
  // The branch may have been moved to a planned commit already: the queue finds out.
  if (auto run = run_being_reverted(ctx, task.id); run && run->revert->commit.empty())
    mark_revert(ctx, *run, core::RevertState::refused, kTakenUp);
}

std::optional<core::Run> waiting_run(OperationContext& ctx, core::Task const& task) {
  auto run = work_of(ctx, task);
  return run && is_unlanded(*run) ? run : std::nullopt;
}

std::vector<core::Run> unlanded_work(OperationContext& ctx, core::Task const& task) {
  auto before = task.depends_on;
  if (task.parent) before.insert(before.begin(), *task.parent);
  std::vector<core::Run> out;
  for (auto const id : before) {
    auto const other = ctx.tx.task(id);
    auto run = other && core::is_done(other->stage) ? waiting_run(ctx, *other) : std::nullopt;
    if (run) out.push_back(*std::move(run));
  }
  return out;
}

std::vector<std::string> checks_of(core::Board const& board, core::Task const& task) {
  std::vector<std::string> out = task.checks;
  if (!out.empty() || (!core::needs_review(board, task) && !lands(board))) return out;
  for (auto const& [name, argv] : board.checks) out.push_back(name);
  return out;
}

}  // namespace andon::service
