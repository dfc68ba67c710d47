#include "service/landing_queue.hpp"

#include <algorithm>
#include <charconv>

#include "core/claim.hpp"
#include "core/names.hpp"
#include "service/review.hpp"
#include "service/run_report.hpp"
#include "service/send_back.hpp"
#include "service/verdict.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::EventKind;
using core::LandingState;
using core::Result;
using core::Stage;

/// Numbers of runs, in the order their work was accepted.
constexpr std::string_view kQueue = "landing.queue";
constexpr std::size_t kReasonBytes = 8'192;

std::vector<core::RunId> queued_runs(Unit& u) {
  std::vector<core::RunId> out;
  auto const kept = u.tx.setting(kQueue).value_or("");
  std::string_view rest = kept;
  for (core::RunId id = 0; !rest.empty();) {
    auto const parsed = std::from_chars(rest.data(), rest.data() + rest.size(), id);
    if (parsed.ec != std::errc{}) break;
    out.push_back(id);
    rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
    if (!rest.empty()) rest.remove_prefix(1);
  }
  return out;
}

void keep_queue(Unit& u, std::vector<core::RunId> const& runs) {
  std::string text;
  for (auto const id : runs) text += (text.empty() ? "" : " ") + std::to_string(id);
  u.tx.set_setting(kQueue, text);
}

void leave_queue(Unit& u, core::RunId id) {
  auto runs = queued_runs(u);
  if (std::erase(runs, id) > 0) keep_queue(u, runs);
}

bool waits(core::Run const& run) { return run.landing && run.landing->state == LandingState::waiting; }

/// The last run of a task, when its work waits.
std::optional<core::Run> waiting_run(Unit& u, core::Task const& task) {
  auto run = task.run ? u.tx.run(*task.run) : std::nullopt;
  return run && waits(*run) ? run : std::nullopt;
}

bool has_commits_to_land(core::Run const& run) {
  bool const has_ended = run.state == core::RunState::ended;
  bool const was_done_before = run.landing && run.landing->state != LandingState::withdrawn;
  return has_ended && !was_done_before && !run.head.empty() && !run.base.empty() && run.head != run.base &&
         !core::failed_check(run.checks);
}

Result<core::Run> waiting_run(Unit& u, core::RunId id) {
  auto run = u.tx.run(id);
  if (!run) return core::refuse(core::Error{Code::kRunNotFound, "there is no such run", "id", {}, {}});
  if (waits(*run)) return *std::move(run);
  return core::refuse(Code::kConflict,
                      "the work of run " + std::to_string(id) + " does not wait to be landed");
}

void put(Unit& u, core::Run& run, LandingState state, std::string reason) {
  run.landing->state = state;
  run.landing->reason = std::move(reason);
  run.landing->at = u.now;
  u.tx.put(run);
  if (state != LandingState::waiting) leave_queue(u, run.id);
}

/// The task's card and history tell what became of its work.
void tell_task(Unit& u, core::Run const& run, Facts const& facts) {
  auto const task = u.tx.task(run.task);
  auto const* board = task ? u.tx.board(task->board) : nullptr;
  if (!board) return;
  auto engine = as_system(u);
  Change change{*task, *task, *board, {}, false, false};
  save(engine, change, EventKind::task_edited, facts);
}

/// Reported work that waited for its landing alone is done now.
bool complete_landed(Unit& u, core::Run const& run, Facts const& facts) {
  auto const task = u.tx.task(run.task);
  auto const* board = task ? u.tx.board(task->board) : nullptr;
  if (!board || task->run != run.id || !core::is_held_by_engine(*task)) return false;
  auto engine = as_system(u);
  Change change{*task, *task, *board, {}, false, false};
  apply_done(engine, change);
  save(engine, change, EventKind::task_completed, facts);
  return true;
}

/// Work that cannot be joined is a failed attempt.
void send_back_unlanded(Unit& u, core::Task const& task, core::Board const& board,
                        std::string const& reason) {
  auto engine = as_system(u);
  Change change{task, task, board, {}, false, false};
  auto const kind = apply_failure(engine, change, reason);
  save(engine, change, kind, {{"reason", reason}});
}

}  // namespace

bool lands(core::Board const& board) {
  return board.worktree && !board.repo.empty() && board.land == core::LandingPolicy::automatic;
}

bool has_work_to_land(Unit& u, core::Task const& task) {
  auto const run = task.run ? u.tx.run(*task.run) : std::nullopt;
  return run && has_commits_to_land(*run);
}

void queue_landing(Unit& u, core::Task const& task) {
  auto const* board = u.tx.board(task.board);
  auto run = task.run ? u.tx.run(*task.run) : std::nullopt;
  if (!board || !lands(*board) || !run || !has_commits_to_land(*run)) return;
  if (task.stage != Stage::done && !core::is_held_by_engine(task)) return;
  run->landing = core::Landing{LandingState::waiting, {}, {}, {}, u.now};
  u.tx.put(*run);
  auto runs = queued_runs(u);
  runs.push_back(run->id);
  keep_queue(u, runs);
}

void withdraw_landing(Unit& u, core::Task const& task) {
  if (auto run = waiting_run(u, task)) put(u, *run, LandingState::withdrawn, "the task was taken up again");
}

bool builds_on_waiting(Unit& u, core::Task const& task) {
  auto const is_waiting = [&](core::TaskId id) {
    auto const other = u.tx.task(id);
    return other && other->stage == Stage::done && waiting_run(u, *other);
  };
  return (task.parent && is_waiting(*task.parent)) || std::ranges::any_of(task.depends_on, is_waiting);
}

Result<LandingQueue> landing_queue(Unit& u, NoRequest const&) {
  LandingQueue out;
  for (auto const id : queued_runs(u)) {
    auto run = u.tx.run(id);
    auto task = run ? u.tx.task(run->task) : std::nullopt;
    auto const* board = task ? u.tx.board(task->board) : nullptr;
    if (!board) continue;
    auto checks = checks_of(*board, *task);
    out.items.push_back({*std::move(run), *std::move(task), *board, std::move(checks)});
  }
  return out;
}

Result<core::Run> plan_landing(Unit& u, PlanLandingRequest const& r) {
  ANDON_TRY(auto run, waiting_run(u, r.id));
  run.landing->commit = r.commit;
  run.landing->onto = r.onto;
  put(u, run, LandingState::waiting, {});
  return run;
}

Result<core::Run> land_run(Unit& u, LandedRequest const& r) {
  auto run = u.tx.run(r.id);
  bool const is_planned = run && run->landing && run->landing->commit == r.commit;
  if (!is_planned) return core::refuse(Code::kConflict, "no such landing was planned", "commit");
  put(u, *run, LandingState::landed, {});
  if (!complete_landed(u, *run, {{"landed", r.commit}, {"branch", r.branch}}))
    tell_task(u, *run, {{"landed", r.commit}, {"branch", r.branch}});
  return *run;
}

Result<core::Run> hold_landing(Unit& u, NotLandedRequest const& r) {
  ANDON_TRY(auto run, waiting_run(u, r.id));
  auto const reason = std::string{core::beginning(r.reason, kReasonBytes)};
  if (run.landing->reason == reason) return run;
  put(u, run, LandingState::waiting, reason);
  tell_task(u, run, {{"landing", "waits"}, {"reason", reason}});
  return run;
}

Result<core::Run> return_landing(Unit& u, NotLandedRequest const& r) {
  ANDON_TRY(auto run, waiting_run(u, r.id));
  auto const reason = std::string{core::beginning(r.reason, kReasonBytes)};
  put(u, run, LandingState::returned, reason);
  auto const task = u.tx.task(run.task);
  auto const* board = task ? u.tx.board(task->board) : nullptr;
  if (board && task->stage == Stage::done && task->run == run.id)
    send_back(u, *task, *board, EventKind::task_retried, reason);
  else if (board && task->run == run.id && core::is_held_by_engine(*task))
    send_back_unlanded(u, *task, *board, reason);
  return run;
}

std::vector<std::string> checks_of(core::Board const& board, core::Task const& task) {
  std::vector<std::string> out = task.checks;
  if (!out.empty() || (!needs_review(board, task) && !lands(board))) return out;
  for (auto const& [name, argv] : board.checks) out.push_back(name);
  return out;
}

}  // namespace andon::service
