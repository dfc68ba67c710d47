#include "service/tasks/kernel/dependencies.hpp"

#include "core/tasks/apply.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {

std::vector<core::TaskId> open_dependency_ids(OperationContext& ctx, core::Task const& task) {
  std::vector<core::TaskId> out;
  for (auto const id : task.depends_on) {
    auto const other = ctx.tx.task(id);
    if (other && !core::is_terminal(other->stage)) out.push_back(id);
  }
  return out;
}

core::Result<void> check_dependencies_closed(OperationContext& ctx, core::Task const& task) {
  if (task.state.open_deps == 0) return {};
  return core::check_dependencies_closed(task, open_dependency_ids(ctx, task));
}

std::int64_t count_open_dependencies(OperationContext& ctx, core::Task const& task) {
  return std::ssize(open_dependency_ids(ctx, task));
}

}  // namespace andon::service
