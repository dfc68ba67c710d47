#include "service/insight/next_step.hpp"

#include "core/model/board.hpp"
#include "core/tasks/claim.hpp"
#include "core/tasks/work_state.hpp"
#include "service/insight/attention.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Stage;

constexpr std::size_t kMostSearched = 1'000;

/// True when nobody has put the task where it is since its last run ended. A person who moves a task from
/// under its agent has named its place.
bool was_left_by(core::Task const& task, std::optional<core::Run> const& run) {
  bool const is_placed = run && run->stop && run->stop->verb == core::Verb::move;
  return run && run->ended && *run->ended > task.state.entered && !is_placed;
}

core::NextStepFacts facts_of(OperationContext& ctx, core::Board const& board, core::Task const& task) {
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  core::NextStepFacts out;
  out.stage = task.stage;
  out.blocked = task.blocked;
  out.runs = run && run->state != core::RunState::ended;
  out.queued = waiting_run(ctx, task) || run_being_reverted(ctx, task.id);
  out.asks = attention_of(ctx, board, task, run ? &*run : nullptr).has_value();
  out.reported = core::is_reported(task);
  out.stopping = task.state.stopping;
  out.supervised = task.state.supervised && !task.claimed_by.empty();
  out.claimed = core::is_claimed(task, ctx.now);
  out.claim_over = !task.claimed_by.empty() && !out.claimed;
  out.is_judged = core::is_in_review(task.stage) && ctx.tx.open_review_of(task.id);
  out.waits_for_task = task.state.open_deps > 0 || !unlanded_work(ctx, task).empty();
  out.waits_until = task.not_before && *task.not_before > ctx.now;
  out.left_in_work = was_left_by(task, run);
  out.is_picked_anywhere = board.workflow == core::Workflow::open;
  return out;
}

}  // namespace

std::optional<core::NextStepOwner> next_step_of(OperationContext& ctx, core::Task const& task) {
  auto const* board = ctx.tx.board(task.board);
  if (!board || board->archived || core::is_terminal(task.stage)) return std::nullopt;
  return core::next_step_of(facts_of(ctx, *board, task));
}

std::vector<core::TaskId> orphans(OperationContext& ctx) {
  store::TaskFilter in_work;
  in_work.stages = {Stage::claimed, Stage::active};
  std::vector<core::TaskId> out;
  auto const found = ctx.tx.list(in_work, {kMostSearched, {}});
  if (!found) return out;
  for (auto const& task : found->tasks)
    if (next_step_of(ctx, task) == core::NextStepOwner::nobody) out.push_back(task.id);
  return out;
}

}  // namespace andon::service
