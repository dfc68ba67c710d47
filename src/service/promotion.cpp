#include "service/promotion.hpp"

#include "core/claim.hpp"
#include "core/wip.hpp"

namespace andon::service {

bool must_wait(Unit& u, core::Board const& board, core::Task const& task) {
  if (board.workflow != core::Workflow::strict) return false;
  if (task.state.open_deps > 0) return true;
  if (!board.require_brief || !task.body.empty()) return false;
  return u.tx.body(task.id).value_or("").empty();
}

void promote_if_ready(Unit& u, Change& change) {
  auto& task = change.after;
  if (task.stage != core::Stage::backlog || !task.approved || task.blocked ||
      must_wait(u, change.board, task))
    return;
  if (core::is_claimed(task, u.now)) return;
  auto const* ready = core::first_column(change.board, core::Stage::ready);
  if (!ready || !core::check_wip(change.board, u.tx.load(change.board.id), *ready, task, &change.before))
    return;
  place(change, *ready, u.now);
}

}  // namespace andon::service
