#include "service/runs/sweep.hpp"

#include "service/limits/accounts.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

constexpr std::size_t kPage = 100;
/// Claims that one unit of work settles, or a page more.
constexpr std::size_t kMostSettled = 100;

/// The treatment of a claim that has ended.
enum class Need {
  nothing,   ///< until somebody changes the task, its holder or its board
  patience,  ///< its runner stops the agent first
  recovery
};

Need need_of(OperationContext& ctx, core::Task const& task, core::Board const& board) {
  if (!core::is_in_work(task.stage) || !board.trouble.empty()) return Need::nothing;
  if (has_live_run(ctx, task)) return Need::patience;
  bool const is_ours = board.workflow == core::Workflow::strict || ctx.tx.worker(task.claimed_by) != nullptr;
  return is_ours ? Need::recovery : Need::nothing;
}

void recover(OperationContext& ctx, core::Task const& task, core::Board const& board) {
  Change change{task, board};
  auto const event = apply(ctx, change, core::Verb::recover);
  save(ctx, change, event, {{"by", task.claimed_by}, {"reason", "the claim was over"}});
}

/// Returns the number of claims that were settled, by either treatment.
std::size_t settle(OperationContext& ctx, core::Task const& task, SweepResult& out) {
  auto const* board = ctx.tx.board(task.board);
  if (!board || core::is_claimed(task, ctx.now)) return 0;
  switch (need_of(ctx, task, *board)) {
    case Need::patience: return 0;
    case Need::nothing: ctx.tx.settle_claim(task.id); return 1;
    case Need::recovery: break;
  }
  recover(ctx, task, *board);
  ++out.recovered;
  return 1;
}

}  // namespace

core::Result<SweepResult> sweep(OperationContext& ctx, NoRequest const&) {
  SweepResult out;
  lift_limits(ctx);
  std::pair<core::Instant, core::TaskId> after{};
  for (std::size_t settled = 0; settled < kMostSettled;) {
    auto const page = ctx.tx.expired(ctx.now, after, kPage);
    for (auto const& task : page) {
      after = {*task.claim_expires, task.id};
      settled += settle(ctx, task, out);
    }
    if (page.size() < kPage) return out;
  }
  out.more = true;
  return out;
}

core::Result<SweepResult> extend_leases(OperationContext& ctx, NoRequest const&) {
  SweepResult out;
  for (auto const& run : ctx.tx.live_runs()) {
    if (run.runner != ctx.server) continue;
    auto task = ctx.tx.task(run.task);
    auto const* board = task ? ctx.tx.board(task->board) : nullptr;
    if (!board || task->epoch != run.epoch || task->claimed_by.empty()) continue;
    core::renew(*task, lease_of(*board, *task), ctx.now);
    ctx.tx.put(*task);
    ++out.recovered;
  }
  return out;
}

}  // namespace andon::service
