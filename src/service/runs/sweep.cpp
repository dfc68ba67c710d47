#include "service/runs/sweep.hpp"

#include "service/limits/accounts.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/verdict.hpp"

namespace andon::service {
namespace {

constexpr std::size_t kPage = 100;
/// Claims that one unit of work settles, or a page more.
constexpr std::size_t kMostSettled = 100;

/// What is to be done about a claim that is over.
enum class Need {
  nothing,   ///< until somebody changes the task, its holder or its board
  patience,  ///< its runner stops the agent first
  recovery
};

Need need_of(Unit& u, core::Task const& task, core::Board const& board) {
  if (!core::is_in_work(task.stage) || !board.trouble.empty()) return Need::nothing;
  if (has_live_run(u, task)) return Need::patience;
  bool const is_ours = board.workflow == core::Workflow::strict || u.tx.worker(task.claimed_by) != nullptr;
  return is_ours ? Need::recovery : Need::nothing;
}

void recover(Unit& u, core::Task const& task, core::Board const& board) {
  Change change{task, task, board, {}, false, false};
  apply_recover(u, change);
  save(u, change, core::EventKind::task_released,
       {{"by", task.claimed_by}, {"reason", "the claim was over"}});
}

/// How many claims were settled in one way or the other.
std::size_t settle(Unit& u, core::Task const& task, Swept& out) {
  auto const* board = u.tx.board(task.board);
  if (!board || core::is_claimed(task, u.now)) return 0;
  switch (need_of(u, task, *board)) {
    case Need::patience: return 0;
    case Need::nothing: u.tx.settle_claim(task.id); return 1;
    case Need::recovery: break;
  }
  recover(u, task, *board);
  ++out.recovered;
  return 1;
}

}  // namespace

core::Result<Swept> sweep(Unit& u, NoRequest const&) {
  Swept out;
  lift_limits(u);
  std::pair<core::Instant, core::TaskId> after{};
  for (std::size_t settled = 0; settled < kMostSettled;) {
    auto const page = u.tx.expired(u.now, after, kPage);
    for (auto const& task : page) {
      after = {*task.claim_expires, task.id};
      settled += settle(u, task, out);
    }
    if (page.size() < kPage) return out;
  }
  out.more = true;
  return out;
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
