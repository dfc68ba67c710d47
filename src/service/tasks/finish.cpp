#include "service/tasks/finish.hpp"

#include <algorithm>
#include <array>

#include "service/about_field.hpp"
#include "service/check_text.hpp"
#include "service/tasks/act.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Verb;

/// The refusals of a pick that say how things stand, not that the request is wrong.
constexpr std::array kNoNextTask{Code::kNothingToPick, Code::kPickUnfinished, Code::kWipLimitExceeded,
                                 Code::kWorkerBusy};

Result<void> check_pick(OperationContext const& ctx, PickRequest const& pick) {
  if (is_run(ctx))
    return core::refuse(Code::kForbidden, "a run works on one task; end it without a pick", "pick");
  if (!pick.wait && !pick.limit) return {};
  std::string const field = pick.wait ? "wait" : "limit";
  return core::refuse(
      Code::kInvalidInput,
      "the end of a task picks one task at once; leave out \"" + field + "\" or pick by itself",
      "pick/" + field);
}

/// Picks from the ready columns where the request names no others. A board may offer the work in review too,
/// and there the finished task would be the next one.
Result<void> pick_next(OperationContext& ctx, PickRequest pick, FinishedTask& out) {
  if (pick.status.empty() && !pick.stage) pick.stage = core::Stage::ready;
  // The revision that the caller expects is that of the finished task.
  auto const expected = std::exchange(ctx.expected_rev, std::nullopt);
  auto picked = pick_task(ctx, pick);
  ctx.expected_rev = expected;
  if (picked) {
    out.picked = *std::move(picked);
    return {};
  }
  auto error = std::move(picked).error();
  if (std::ranges::find(kNoNextTask, error.code) == kNoNextTask.end()) {
    error.field = error.field.empty() ? "pick" : "pick/" + error.field;
    return core::refuse(std::move(error));
  }
  out.not_picked = NotPicked{std::string{core::row(error.code).name}, std::move(error.message)};
  return {};
}

Result<FinishedTask> finish(OperationContext& ctx, Verb verb, CompleteRequest const& r) {
  if (!r.no_change.empty()) ANDON_CHECK(check_text(r.no_change, "no_change", kNoteBytes));
  if (r.pick) ANDON_CHECK(check_pick(ctx, *r.pick));
  ANDON_TRY(auto&& task, act(ctx, verb, r.id, proof_of(r),
                             {.result = r.result, .no_change = r.no_change, .force = r.force}));
  FinishedTask out{std::move(task), {}, {}};
  if (r.pick) ANDON_CHECK(pick_next(ctx, *r.pick, out));
  return out;
}

}  // namespace

Result<FinishedTask> submit_task(OperationContext& ctx, CompleteRequest const& r) {
  return finish(ctx, Verb::submit, r);
}

Result<FinishedTask> complete_task(OperationContext& ctx, CompleteRequest const& r) {
  return finish(ctx, Verb::complete, r);
}

}  // namespace andon::service
