#include "service/tasks/copy_check.hpp"

#include "service/tasks/copy_pairs.hpp"
#include "service/tasks/kernel/change.hpp"

namespace andon::service {
namespace {

constexpr std::size_t kMostOthers = 20;

}  // namespace

core::Result<std::vector<core::TaskId>> not_copied(OperationContext& ctx, std::vector<TaskRef> const& refs) {
  if (refs.size() > kMostOthers)
    return core::refuse(core::Code::kInvalidInput, "name at most 20 tasks in \"not_a_copy\"", "not_a_copy");
  std::vector<core::TaskId> out;
  for (auto const& ref : refs) {
    ANDON_TRY(auto const id, resolve(ctx, ref, "not_a_copy"));
    out.push_back(id);
  }
  return out;
}

bool is_kept_from_copies(OperationContext const& ctx) {
  auto const kind = ctx.caller.actor.kind;
  return is_run(ctx) || kind == core::ActorKind::worker || kind == core::ActorKind::automation;
}

core::Result<core::Task> answer_to_copy(OperationContext& ctx, StandingTask const& standing) {
  auto task = shown(ctx, standing.task);
  auto const number = std::to_string(task.id);
  if (standing.comparison.likeness == core::Likeness::equal) {
    ctx.made_nothing = true;
    task.notice = "task #" + number + " asks for this already; no second task was created";
    return task;
  }
  return core::refuse(core::Error{core::Code::kLikelyCopy,
                                  "this looks like a copy of " + name_of(task) +
                                      "; work with that task, or, if it is another piece of work, create it "
                                      "again with --not-a-copy " +
                                      number,
                                  "not_a_copy",
                                  {},
                                  std::make_shared<core::Task const>(std::move(task))}
                          .with("task", standing.task.id)
                          .with("percent", std::int64_t{standing.comparison.percent}));
}

core::Task with_suspicion(OperationContext& ctx, core::Task task, StandingTask const& standing) {
  note_pair(ctx, task, standing);
  task.warnings.push_back("task #" + std::to_string(task.id) + " looks like a copy of " +
                          name_of(standing.task));
  return task;
}

}  // namespace andon::service
