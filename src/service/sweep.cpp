#include "service/sweep.hpp"

#include "service/accounts.hpp"
#include "service/claim.hpp"
#include "service/verdict.hpp"

namespace andon::service {
namespace {

constexpr std::size_t kPage = 200;

bool is_ours_to_recover(Unit& u, core::Task const& task, core::Board const& board) {
  if (core::is_claimed(task, u.now) || !core::is_in_work(task.stage)) return false;
  if (has_live_run(u, task)) return false;
  return board.workflow == core::Workflow::strict || u.tx.worker(task.claimed_by) != nullptr;
}

bool recover(Unit& u, core::Task const& task) {
  auto const* board = u.tx.board(task.board);
  if (!board || !board->trouble.empty() || !is_ours_to_recover(u, task, *board)) return false;
  Change change{task, task, *board, {}, false, false};
  apply_recover(u, change);
  save(u, change, core::EventKind::task_released,
       {{"by", task.claimed_by}, {"reason", "the claim was over"}});
  return true;
}

}  // namespace

core::Result<Swept> sweep(Unit& u, NoRequest const&) {
  Swept out;
  lift_limits(u);
  std::pair<core::Instant, core::TaskId> after{};
  for (;;) {
    auto const page = u.tx.expired(u.now, after, kPage);
    for (auto const& task : page) {
      after = {*task.claim_expires, task.id};
      if (recover(u, task)) ++out.recovered;
    }
    if (page.size() < kPage) return out;
  }
}

core::Result<Swept> grant_grace(Unit& u, NoRequest const&) {
  Swept out;
  for (auto const& run : u.tx.live_runs()) {
    auto task = u.tx.task(run.task);
    auto const* board = task ? u.tx.board(task->board) : nullptr;
    if (!board || task->epoch != run.epoch || task->claimed_by.empty()) continue;
    core::renew(*task, lease_of(*board, *task), u.now);
    u.tx.put(*task);
    ++out.recovered;
  }
  return out;
}

}  // namespace andon::service
