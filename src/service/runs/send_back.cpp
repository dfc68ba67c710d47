#include "service/runs/send_back.hpp"

#include "service/tasks/place_or_queue.hpp"
#include "service/tasks/task_actions.hpp"

namespace andon::service {

void send_back(OperationContext& ctx, core::Task const& task, core::Board const& board, core::EventKind kind,
               std::string const& reason) {
  auto engine = as_system(ctx);
  Change change{task, task, board, {}, false, false};
  core::end_claim(change.after);
  change.after.flag.clear();
  change.after.not_before.reset();
  change.after.state.last_failure = reason;
  place_or_queue(engine, change, core::Stage::ready);
  if (task.attempt >= task.max_attempts) {
    change.after.state.returns_to = change.after.status;
    apply_block(engine, change, reason);
  }
  save(engine, change, kind, {{"reason", reason}});
}

}  // namespace andon::service
