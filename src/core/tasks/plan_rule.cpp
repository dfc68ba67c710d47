#include "core/tasks/plan_rule.hpp"

namespace andon::core {

bool needs_plan(Task const& task, Worker const& worker) {
  if (task.plan_state == PlanState::accepted || task.state.reviews != 0) return false;
  bool const is_asked = task.plan == PlanRule::required || worker.plan == PlanRule::required;
  return is_asked || task.plan_state != PlanState::none;
}

bool has_open_plan(Task const& task) {
  bool const is_open = !is_terminal(task.stage) && (!is_in_work(task.stage) || task.blocked);
  return task.plan_state == PlanState::proposed && is_open;
}

bool waits_with_plan(Task const& task) {
  bool const is_held = is_in_review(task.stage) || (task.blocked && task.block_reason == kPlanWaits);
  return is_held && has_open_plan(task);
}

}  // namespace andon::core
