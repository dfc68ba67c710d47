#include "service/tasks/promotion.hpp"

#include "core/boards/wip.hpp"
#include "core/tasks/claim.hpp"

namespace andon::service {
namespace {

using core::Stage;

/// The column an approved task would enter now; null while it has to wait.
core::Column const* way_out(Unit& u, core::Board const& board, core::Task const& task) {
  if (task.stage != Stage::backlog || !task.approved || task.blocked || core::is_claimed(task, u.now) ||
      must_wait(u, board, task))
    return nullptr;
  auto const* ready = core::first_column(board, Stage::ready);
  if (!ready || !core::check_wip(board, u.tx.load(board.id), *ready, task, &task)) return nullptr;
  return ready;
}

}  // namespace

bool must_wait(Unit& u, core::Board const& board, core::Task const& task) {
  if (board.workflow != core::Workflow::strict) return false;
  if (task.state.open_deps > 0) return true;
  if (!board.require_brief || !task.body.empty()) return false;
  return u.tx.body(task.id).value_or("").empty();
}

void promote_if_ready(Unit& u, Change& change) {
  if (auto const* ready = way_out(u, change.board, change.after)) place(change, *ready, u.now);
}

bool fill_ready(Unit& u, core::Board const& board) {
  auto const* ready = core::first_column(board, Stage::ready);
  auto const has_room = [&] { return ready && !core::is_full(*ready, u.tx.load(board.id)); };
  for (std::int64_t filled = 0; has_room(); ++filled) {
    if (filled == store::kMostAtOnce) return true;
    std::optional<core::Task> next;
    u.tx.waiting_for_room(board.id, [&](core::Task const& task) {
      if (way_out(u, board, task)) next = task;
      return next.has_value();
    });
    if (!next) return false;
    Change change{*next, *next, board, {}, false, false};
    place(change, *ready, u.now);
    save(u, change, core::EventKind::task_moved, {{"reason", "there is room in " + ready->name}});
  }
  return false;
}

}  // namespace andon::service
