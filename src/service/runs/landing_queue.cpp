#include "service/runs/landing_queue.hpp"

#include "core/tasks/claim.hpp"
#include "core/tasks/work_state.hpp"
#include "core/text/names.hpp"
#include "service/runs/revert_end.hpp"
#include "service/tasks/act.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::EventKind;
using core::LandingState;
using core::Result;
using core::Stage;

constexpr std::size_t kReasonBytes = 8'192;
constexpr std::size_t kMostNames = 100;

std::vector<std::string> first_names(std::vector<std::string> names) {
  if (names.size() > kMostNames) names.resize(kMostNames);
  return names;
}

/// Reported work that waited for its landing alone is done now.
bool complete_landed(OperationContext& ctx, core::Run const& run, Facts const& facts) {
  auto change = load_change(ctx, run.task);
  if (!change || !is_work_of(ctx, change->before, run) || !core::is_held_by_engine(change->before))
    return false;
  auto engine = as_system(ctx);
  auto const event = apply(engine, *change, core::Verb::complete);
  save(engine, *change, event, facts);
  return true;
}

/// Work that cannot be joined is a failed attempt, also when it was accepted before.
void send_back(OperationContext& ctx, Change change, std::string const& reason) {
  auto engine = as_system(ctx);
  core::remark(change.after, core::WorkRemark::none);
  auto const event = apply(engine, change, core::Verb::fail, {.reason = reason});
  save(engine, change, event, {{"reason", reason}});
}

}  // namespace

void tell_of_landing(OperationContext& ctx, core::Run const& run, Facts const& facts) {
  auto engine = as_system(ctx);
  if (auto change = load_change(ctx, run.task)) save(engine, *change, EventKind::task_edited, facts);
}

void return_work(OperationContext& ctx, core::Run& run, std::string const& reason) {
  run.landing->squash = false;
  mark_landing(ctx, run, LandingState::returned, reason);
  auto change = load_change(ctx, run.task);
  bool const is_over =
      change && (core::is_done(change->before.stage) || core::is_held_by_engine(change->before));
  if (is_over && is_work_of(ctx, change->before, run)) send_back(ctx, *std::move(change), reason);
}

std::optional<LandingPlace> landing_place(OperationContext& ctx, core::RunId id) {
  auto run = ctx.tx.run(id);
  auto task = run ? ctx.tx.task(run->task) : std::nullopt;
  auto const* board = task ? ctx.tx.board(task->board) : nullptr;
  if (!board) return std::nullopt;
  LandingPlace out{*std::move(run), *std::move(task), *board, checks_of(*board, *task)};
  if (waits_to_be_reverted(out.run))
    for (auto& landed : landed_runs(ctx, out.task.id)) out.take_back.push_back(*std::move(landed.landing));
  out.was_reverted = was_reverted(ctx, out.task.id);
  out.squashed = squashed_heads(ctx, out.task.id);
  return out;
}

Result<LandingQueue> landing_queue(OperationContext& ctx, NoRequest const&) {
  LandingQueue out;
  for (auto const id : queued_runs(ctx))
    if (auto place = landing_place(ctx, id)) out.items.push_back(*std::move(place));
  return out;
}

Result<core::Run> plan_landing(OperationContext& ctx, PlanLandingRequest const& r) {
  ANDON_TRY(auto run, run_to_land(ctx, r.id));
  if (waits_to_be_reverted(run)) return plan_revert(ctx, std::move(run), r.commit, r.onto);
  run.landing->commit = r.commit;
  run.landing->onto = r.onto;
  mark_landing(ctx, run, LandingState::waiting, {});
  return run;
}

Result<core::Run> land_run(OperationContext& ctx, LandedRequest const& r) {
  auto run = ctx.tx.run(r.id);
  if (run && waits_to_be_reverted(*run)) return end_revert(ctx, *std::move(run), r.commit, r.branch);
  bool const is_planned = run && run->landing && run->landing->commit == r.commit;
  if (!is_planned) return core::refuse(Code::kConflict, "no such landing was planned", "commit");
  run->landing->branch = r.branch;
  mark_landing(ctx, *run, LandingState::landed, {});
  if (!complete_landed(ctx, *run, {{"landed", r.commit}, {"branch", r.branch}}))
    tell_of_landing(ctx, *run, {{"landed", r.commit}, {"branch", r.branch}});
  return *run;
}

Result<core::Run> hold_landing(OperationContext& ctx, NotLandedRequest const& r) {
  ANDON_TRY(auto run, run_to_land(ctx, r.id));
  auto const reason = std::string{core::beginning(r.reason, kReasonBytes)};
  if (waits_to_be_reverted(run)) return hold_revert(ctx, std::move(run), reason);
  if (run.landing->reason == reason) return run;
  mark_landing(ctx, run, LandingState::waiting, reason);
  tell_of_landing(ctx, run, {{"landing", "waits"}, {"reason", reason}});
  return run;
}

Result<core::Run> return_landing(OperationContext& ctx, NotLandedRequest const& r) {
  ANDON_TRY(auto run, run_to_land(ctx, r.id));
  auto const reason = std::string{core::beginning(r.reason, kReasonBytes)};
  if (waits_to_be_reverted(run)) return refuse_revert(ctx, std::move(run), reason);
  run.landing->files = first_names(r.files);
  return_work(ctx, run, reason);
  return run;
}

}  // namespace andon::service
