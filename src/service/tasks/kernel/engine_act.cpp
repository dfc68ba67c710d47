#include "service/tasks/kernel/engine_act.hpp"

#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/dependencies.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "service/tasks/kernel/waiting.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {

namespace {

/// The facts that cost no further read.
core::Situation begin_situation(OperationContext& ctx, Change const& change) {
  return {.load = ctx.tx.load(change.board.id),
          .now = ctx.now,
          .jitter = ctx.jitter,
          .caller = holder(ctx),
          .is_agent = !acting_worker(ctx).empty(),
          .is_run = is_run(ctx)};
}

std::vector<core::TaskId> open_dependencies(OperationContext& ctx, core::Task const& task) {
  return task.state.open_deps > 0 ? open_dependency_ids(ctx, task) : std::vector<core::TaskId>{};
}

}  // namespace

core::Situation situation_of(OperationContext& ctx, Change const& change, core::VerbRow const& row) {
  auto const& task = change.before;
  auto out = begin_situation(ctx, change);
  bool const asks_of_run =
      row.guards.contains(core::Guard::something_to_end) || row.guards.contains(core::Guard::no_live_run);
  if (asks_of_run) out.has_live_run = has_live_run(ctx, task);
  if (row.guards.contains(core::Guard::no_dependency)) out.open_dependencies = open_dependencies(ctx, task);
  if (row.to == core::Target::ready_unless_waiting) out.lacks_brief = lacks_brief(ctx, change.board, task);
  return out;
}

core::Situation situation_of(OperationContext& ctx, Change const& change) {
  auto out = begin_situation(ctx, change);
  out.has_live_run = has_live_run(ctx, change.before);
  out.open_dependencies = open_dependencies(ctx, change.before);
  out.lacks_brief = lacks_brief(ctx, change.board, change.before);
  return out;
}

core::EventKind apply(OperationContext& ctx, Change& change, core::Verb verb, core::VerbInput const& input) {
  return core::apply(verb, change, situation_of(ctx, change, core::row(verb)), input, core::Entry::queued);
}

}  // namespace andon::service
