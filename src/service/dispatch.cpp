#include "service/dispatch.hpp"

#include <algorithm>

#include "reflect/json.hpp"
#include "service/accounts.hpp"
#include "service/budgets.hpp"
#include "service/claim.hpp"
#include "service/pick.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::string_view kPaused = "dispatch.paused";
constexpr std::string_view kRunner = "dispatch.runner";
constexpr std::string_view kSlots = "dispatch.slots";
constexpr std::int64_t kMostSlots = 1'000;

bool everything_paused(Unit& u) { return u.tx.setting(kPaused) == "1"; }

std::int64_t slots_of_server(Unit& u) {
  auto const text = u.tx.setting(kSlots);
  return text ? reflect::read_json<DispatchLimit>(*text, reflect::Unknown::ignore)
                    .value_or(DispatchLimit{})
                    .slots
              : 0;
}

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

void open_run(Unit& u, Change& change, core::Worker const& worker) {
  auto& task = change.after;
  task.state.supervised = true;
  core::renew(task, lease_of(change.board, task), u.now);
  core::Run run;
  run.task = task.id;
  run.board = task.board;
  run.worker = worker.name;
  run.runner = "local";
  run.attempt = task.attempt;
  run.epoch = task.epoch;
  run.started = u.now;
  run.progress = u.now;
  task.run = u.tx.add(std::move(run));
}

}  // namespace

Result<void> check_slots(Unit& u, core::Board const& board) {
  auto const slots = slots_of_server(u);
  if (slots <= 0 && board.max_concurrent <= 0) return {};
  auto const runs = u.tx.live_runs();
  if (auto const all = std::ssize(runs); slots > 0 && all >= slots)
    return core::refuse(Code::kNothingToPick, "this server already has " + std::to_string(all) + " of " +
                                                  std::to_string(slots) +
                                                  " runs; allow more with: andon dispatch limit");
  if (board.max_concurrent <= 0) return {};
  auto const used = std::ranges::count(runs, board.name, &core::Run::board);
  if (used < board.max_concurrent) return {};
  return core::refuse(Code::kNothingToPick, "board \"" + board.name + "\" already has " +
                                                std::to_string(used) + " of " +
                                                std::to_string(board.max_concurrent) + " runs");
}

bool is_dispatch_paused(Unit& u, core::Board const& board) {
  return everything_paused(u) || !board.auto_dispatch;
}

void set_runner(Unit& u, bool present) { u.tx.set_setting(kRunner, present ? "1" : "0"); }
bool has_runner(Unit& u) { return u.tx.setting(kRunner) == "1"; }

Result<DispatchStatus> dispatch_status(Unit& u, NoRequest const&) {
  DispatchStatus out;
  out.paused = everything_paused(u);
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
    u.tx.set_setting(kPaused, r.paused ? "1" : "0");
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
  u.tx.set_setting(kSlots, reflect::to_json(r));
  core::Event event;
  event.kind = core::EventKind::dispatch_changed;
  tell(u, std::move(event), {{"slots", std::to_string(r.slots)}});
  return r;
}

Result<void> put_to_work(Unit& u, Change& change, core::Worker const& worker) {
  bool const runs = has_runner(u) && !worker.agent.empty();
  if (runs && has_live_run(u, change.before))
    return core::refuse(Code::kConflict, "its last agent has not ended yet; try again in a moment");
  ANDON_CHECK(take_claim(u, change, worker.name));
  if (!core::uses_capacity(change.before.stage)) ANDON_CHECK(check_capacity(u, worker, change.after.id));
  if (runs) open_run(u, change, worker);
  return {};
}

Result<core::Run> dispatch_next(Unit& u, DispatchRequest const& r) {
  ANDON_TRY(auto const worker, find_worker(u, r.worker, "worker"));
  if (worker.paused || everything_paused(u)) return core::refuse(Code::kNothingToPick, "dispatch is paused");
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
