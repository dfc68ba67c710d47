#include "service/tasks/kernel/verdict.hpp"

#include <algorithm>

#include "core/tasks/pick.hpp"
#include "core/tasks/review_rule.hpp"
#include "core/tasks/work_state.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Stage;

Result<void> check_may_judge(OperationContext& ctx, core::TaskId id) {
  if (!is_run(ctx)) return {};
  auto const own = ctx.tx.task(ctx.caller.run->task);
  if (!own || own->state.reviews != id)
    return core::refuse(Code::kForbidden, "a run may judge only the work that its review task is about");
  return core::check_claim(*own, {ctx.caller.run->worker, ctx.caller.run->epoch, false}, ctx.now);
}

}  // namespace

std::optional<core::TaskId> open_review_of(OperationContext& ctx, core::TaskId id) {
  auto const review = ctx.tx.open_review_of(id);
  auto const task = review ? ctx.tx.task(*review) : std::nullopt;
  return task && !core::is_reported(*task) ? review : std::nullopt;
}

Result<Change> open_for_verdict(OperationContext& ctx, TaskRef const& ref) {
  ANDON_TRY(auto const named, find_task(ctx, ref));
  auto const id = named.state.reviews != 0 ? named.state.reviews : named.id;
  ANDON_CHECK(check_may_judge(ctx, id));
  return open_foreign(ctx, {std::to_string(id)});
}

bool has_reviewer(OperationContext& ctx, core::Board const& board, core::Task const& task) {
  if (core::reviewer_of(board).empty() || !core::is_in_review(task.stage)) return false;
  auto const id = ctx.tx.open_review_of(task.id);
  auto const review = id ? ctx.tx.task(*id) : std::nullopt;
  return review && std::ranges::any_of(ctx.tx.workers(), [&](core::Worker const& worker) {
           return core::serves(worker, board.name) && worker.name != review->state.not_for &&
                  core::fits({worker.name, worker.role, true, worker.takes_unassigned}, *review);
         });
}

bool has_verdict(OperationContext& ctx, core::Task const& review) {
  auto const task = ctx.tx.task(review.state.reviews);
  return task && (!core::is_in_review(task->stage) || open_review_of(ctx, task->id));
}

bool owes_verdict(OperationContext& ctx, core::Task const& task) {
  auto const work = task.state.reviews != 0 ? ctx.tx.task(task.state.reviews) : std::nullopt;
  return work && core::is_in_review(work->stage) &&
         open_review_of(ctx, work->id).value_or(task.id) == task.id;
}

}  // namespace andon::service
