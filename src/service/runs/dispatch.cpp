#include "service/runs/dispatch.hpp"

#include "service/limits/accounts.hpp"
#include "service/limits/budgets.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/pick.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::int64_t kMostSlots = 1'000;

/// Counted with every write, so that it costs the same on a board of any size.
std::int64_t tasks_ready(Unit& u) {
  std::int64_t ready = 0;
  for (auto const* board : u.tx.boards()) {
    auto const load = u.tx.load(board->id);
    for (auto const& [column, tasks] : load.columns)
      if (core::stage_of(*board, column) == core::Stage::ready) ready += tasks;
  }
  return ready;
}

}  // namespace

Result<DispatchStatus> dispatch_status(Unit& u, NoRequest const&) {
  DispatchStatus out;
  out.paused = is_everything_paused(u);
  for (auto const* board : u.tx.boards())
    if (!board->auto_dispatch && !board->archived) out.paused_boards.push_back(board->name);
  for (auto const& worker : u.tx.workers())
    if (worker.paused) out.paused_workers.push_back(worker.name);
  out.running = static_cast<std::int64_t>(u.tx.live_runs().size());
  out.slots = slots_of_server(u);
  out.ready = tasks_ready(u);
  out.runner = has_runner(u);
  out.frozen = frozen_now(u);
  out.budgets = days_of(u);
  return out;
}

Result<DispatchStatus> set_dispatch(Unit& u, DispatchState const& r) {
  core::Event event;
  if (r.board.empty()) {
    pause_everything(u, r.paused);
    event.kind = core::EventKind::dispatch_changed;
  } else {
    ANDON_TRY(auto const* found, find_board(u, r.board));
    auto board = *found;
    board.auto_dispatch = !r.paused;
    ++board.rev;
    u.tx.put(board);
    event.kind = core::EventKind::board_changed;
    event.board = board.name;
  }
  tell(u, std::move(event), {{"paused", r.paused ? "true" : "false"}});
  return dispatch_status(u, {});
}

Result<DispatchLimit> limit_dispatch(Unit& u, DispatchLimit const& r) {
  if (r.slots < 0 || r.slots > kMostSlots)
    return core::refuse(Code::kInvalidInput, "\"slots\" must be from 0 to 1000", "slots");
  keep_slots(u, r);
  core::Event event;
  event.kind = core::EventKind::dispatch_changed;
  tell(u, std::move(event), {{"slots", std::to_string(r.slots)}});
  return r;
}

Result<core::Run> dispatch_next(Unit& u, DispatchRequest const& r) {
  ANDON_TRY(auto const worker, find_worker(u, r.worker, "worker"));
  if (worker.paused || is_everything_paused(u))
    return core::refuse(Code::kNothingToPick, "dispatch is paused");
  ANDON_CHECK(check_capacity(u, worker, 0));
  ANDON_CHECK(check_account(u, worker));
  ANDON_CHECK(check_day(u, worker));
  auto boards = u.tx.boards();
  auto const frozen = frozen_now(u);
  std::erase_if(boards, [&](core::Board const* board) {
    return is_frozen(frozen, board->name, worker.name) || board->archived || !board->auto_dispatch ||
           !core::serves(worker, board->name) || !check_slots(u, *board) || !check_day(u, *board);
  });
  auto change = next_for(u, boards, worker);
  if (!change) return core::refuse(Code::kNothingToPick, "nothing waits for worker \"" + worker.name + "\"");
  ANDON_CHECK(put_to_work(u, *change, worker));
  auto const task = save(u, *change, core::EventKind::task_claimed, {{"by", worker.name}});
  if (!has_live_run(u, task))
    return core::refuse(Code::kConflict, "worker \"" + worker.name + "\" has no agent to run");
  return *u.tx.run(*task.run);
}

}  // namespace andon::service
