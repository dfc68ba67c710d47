#include "service/tasks/warnings.hpp"

#include "core/model/service_class.hpp"
#include "service/tasks/kernel/dependencies.hpp"

namespace andon::service {
namespace {

using core::Stage;
using core::Task;

bool has_moved(Task const* before, Task const& after) { return !before || before->status != after.status; }

std::string of_blocked_move(OperationContext& /*u*/, Task const* before, Task const& after) {
  if (!before || !before->blocked || !after.blocked || !has_moved(before, after)) return {};
  return "is blocked (" + after.block_reason + ")";
}

std::string of_open_dependencies(OperationContext& ctx, Task const* before, Task const& after) {
  bool const waits = core::is_backlog(after.stage) || core::is_ready(after.stage) ||
                     after.stage == Stage::blocked || core::is_archived(after.stage);
  if (waits || after.state.open_deps == 0 || !has_moved(before, after)) return {};
  std::string text;
  for (auto const id : open_dependency_ids(ctx, after))
    text += (text.empty() ? "#" : ", #") + std::to_string(id);
  return "waits for " + text;
}

std::string of_missing_date(OperationContext& /*u*/, Task const* before, Task const& after) {
  bool const concerns_it = !before || before->class_ != after.class_ || before->due != after.due;
  if (after.class_ != core::kFixedDate || after.due || !concerns_it) return {};
  return "is of class fixed-date and has no due date";
}

std::string of_accepted_plan(OperationContext& /*u*/, Task const* before, Task const& after) {
  bool const is_changed = before && (before->title != after.title || !after.body.empty());
  if (!is_changed || after.plan_state != core::PlanState::accepted) return {};
  return "has an accepted plan, which was made for the earlier text; read it again: andon plan show";
}

/// One row for each thing that is allowed and looks wrong; nothing where it does not apply.
constexpr std::array kWarnings{&of_blocked_move, &of_open_dependencies, &of_missing_date, &of_accepted_plan};

}  // namespace

Task with_warnings(OperationContext& ctx, Task const* before, Task after) {
  for (auto const warning : kWarnings)
    if (auto const text = warning(ctx, before, after); !text.empty())
      after.warnings.push_back("task #" + std::to_string(after.id) + " " + text);
  return after;
}

}  // namespace andon::service
