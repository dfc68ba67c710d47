#include "service/tasks/kernel/kept_plan.hpp"

#include "reflect/json.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "store/content_digest.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

std::string plan_setting(core::TaskId task) { return "plan." + std::to_string(task); }

void store_plan(OperationContext& ctx, core::TaskId task, core::Plan const& plan) {
  ctx.tx.set_setting(plan_setting(task), reflect::to_json(plan));
}

}  // namespace

std::optional<core::Plan> kept_plan(OperationContext& ctx, core::TaskId task) {
  auto const text = ctx.tx.setting(plan_setting(task));
  if (!text) return std::nullopt;
  auto plan = reflect::read_json<core::Plan>(*text, reflect::Unknown::ignore);
  return plan ? std::optional{*std::move(plan)} : std::nullopt;
}

core::Plan keep_plan(OperationContext& ctx, core::TaskId task, std::string text, std::string by,
                     std::optional<core::RunId> run) {
  core::Plan plan;
  plan.sha256 = store::content_digest(text);
  plan.text = std::move(text);
  plan.state = core::PlanState::proposed;
  plan.by = std::move(by);
  plan.at = ctx.now;
  plan.run = run;
  store_plan(ctx, task, plan);
  return plan;
}

core::Result<std::string> judge_kept_plan(OperationContext& ctx, core::Task const& task,
                                          std::string const& comment) {
  auto plan = kept_plan(ctx, task.id);
  if (!plan)
    return core::refuse(core::Code::kConflict, "the text of the plan of task #" + std::to_string(task.id) +
                                                   " is gone; write it again with: andon plan write");
  plan->state = task.plan_state;
  plan->comment = comment;
  plan->judged_by = core::to_text(ctx.caller.actor);
  store_plan(ctx, task.id, *plan);
  return plan->sha256;
}

bool has_plan_of(OperationContext& ctx, core::Run const& run) {
  auto const task = ctx.tx.task(run.task);
  auto const plan = kept_plan(ctx, run.task);
  return task && plan && task->plan_state == core::PlanState::proposed && plan->at >= run.started;
}

core::Result<void> check_may_ask_for_plan(OperationContext const& ctx) {
  if (acting_worker(ctx).empty()) return {};
  return core::refuse(core::Code::kForbidden,
                      "only a person may say whether a plan comes first; leave out \"plan\"", "plan");
}

}  // namespace andon::service
