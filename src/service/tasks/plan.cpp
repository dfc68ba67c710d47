#include "service/tasks/plan.hpp"

#include "core/tasks/plan_rule.hpp"
#include "service/check_text.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/kept_plan.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

std::string named_task(core::TaskId id) { return "task #" + std::to_string(id); }

TaskPlan answer_of(core::TaskId task, core::Plan plan) {
  TaskPlan out;
  static_cast<core::Plan&>(out) = std::move(plan);
  out.task = task;
  return out;
}

Result<void> check_run_may_write(OperationContext& ctx) {
  auto const run = ctx.tx.run(ctx.caller.run->run);
  if (run && run->plans) return {};
  return core::refuse(Code::kForbidden,
                      "this run works by the plan that was accepted; use andon block when the plan is wrong",
                      "text");
}

std::unexpected<core::Error> no_plan_now(core::Task const& task, std::string const& why) {
  return core::refuse(core::Error{Code::kStatusConflict,
                                  named_task(task.id) + " " + why,
                                  {},
                                  {},
                                  std::make_shared<core::Task const>(task)}
                          .with("id", task.id));
}

/// A plan has no say while an agent works by it, or when the work is finished.
Result<void> check_person_may_write(OperationContext& ctx, core::Task const& task) {
  if (!acting_worker(ctx).empty())
    return core::refuse(Code::kForbidden, "an agent writes a plan in its planning run only", "text");
  if (core::is_terminal(task.stage))
    return no_plan_now(task, "is finished; open it again before you plan it");
  if (core::is_in_review(task.stage) && task.plan_state != core::PlanState::proposed)
    return no_plan_now(task,
                       "waits for a verdict on its work; send the work back before you change its plan");
  auto const run = has_live_run(ctx, task) ? ctx.tx.run(*task.run) : std::nullopt;
  if (run && !run->plans)
    return no_plan_now(task, "has an agent at work; kill its run before you change its plan");
  return {};
}

}  // namespace

Result<TaskPlan> write_plan(OperationContext& ctx, WritePlanRequest const& r) {
  ANDON_CHECK(check_text(r.text, "text", core::kPlanBytes));
  ANDON_TRY(auto change, is_run(ctx) ? open_claimed(ctx, r.id, Proof{{}, r.epoch, false}) : open(ctx, r.id));
  ANDON_CHECK(is_run(ctx) ? check_run_may_write(ctx) : check_person_may_write(ctx, change.before));
  auto const run = is_run(ctx) ? std::optional{ctx.caller.run->run} : std::nullopt;
  auto plan = keep_plan(ctx, change.before.id, r.text, core::to_text(ctx.caller.actor), run);
  change.after.plan_state = core::PlanState::proposed;
  save(ctx, change, core::EventKind::task_edited, {{"plan", plan.sha256}});
  return answer_of(change.before.id, std::move(plan));
}

Result<TaskPlan> get_plan(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  if (auto plan = kept_plan(ctx, task.id)) return answer_of(task.id, *std::move(plan));
  auto const id = std::to_string(task.id);
  return core::refuse(
      Code::kNotFound,
      named_task(task.id) + " has no plan; write one with: andon plan write " + id + " --file plan.md");
}

Result<void> check_plan_hash(OperationContext& ctx, core::TaskId id, std::string const& hash) {
  if (hash.empty()) return {};
  auto const task = ctx.tx.task(id);
  auto const plan = kept_plan(ctx, id);
  if (task && plan && core::has_open_plan(*task) && plan->sha256 == hash) return {};
  return core::refuse(Code::kConflict,
                      "the plan of " + named_task(id) + " changed since you read it; read it again",
                      "plan_hash");
}

}  // namespace andon::service
