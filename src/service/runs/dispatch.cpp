#include "service/runs/dispatch.hpp"

#include <map>

#include "service/limits/accounts.hpp"
#include "service/limits/budgets.hpp"
#include "service/limits/faults.hpp"
#include "service/limits/machine.hpp"
#include "service/limits/quiet.hpp"
#include "service/remote_runners.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/pick.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::int64_t kMostSlots = 1'000;
constexpr std::size_t kMostWorkers = 500;
constexpr std::size_t kMostAgentsOfServer = 1'000;

/// Counted with every write, so that it costs the same on a board of any size.
std::int64_t tasks_ready(OperationContext& ctx) {
  std::int64_t ready = 0;
  for (auto const* board : ctx.tx.boards()) {
    auto const load = ctx.tx.load(board->id);
    for (auto const& [column, tasks] : load.columns)
      if (core::stage_of(*board, column) == core::Stage::ready) ready += tasks;
  }
  return ready;
}

/// Quiet hours and the machine keep an agent from the classes that they concern.
ClassGate gate_for(OperationContext& ctx, core::Worker const& worker) {
  return [&ctx, &worker, rooms = std::map<core::BoardId, bool>{}](
             core::Board const& board, core::ServiceClass const& service_class) mutable {
    if (is_quiet(ctx, service_class)) return core::Skip::quiet;
    if (is_expedite(service_class)) return core::Skip::none;
    auto const [room, is_new] = rooms.try_emplace(board.id, false);
    if (is_new) room->second = !why_no_room(ctx, board, worker);
    return room->second ? core::Skip::none : core::Skip::machine;
  };
}

/// Leaves the boards in whose repositories the runner works. Refuses where it takes no work of the worker.
Result<void> keep_to_runner(OperationContext& ctx, core::Runner const& runner, core::Worker const& worker,
                            std::vector<core::Board const*>& boards) {
  if (auto const why = why_not_on(ctx, runner, worker)) return core::refuse(Code::kNothingToPick, *why);
  std::erase_if(boards, [&](core::Board const* board) { return why_not_on(runner, *board).has_value(); });
  return {};
}

/// The record of the calling runner; nothing for a server.
Result<std::optional<core::Runner>> calling_runner(OperationContext& ctx) {
  if (!is_runner(ctx)) return std::optional<core::Runner>{};
  auto runner = runner_named(ctx, ctx.server);
  if (!runner) return core::refuse(Code::kNothingToPick, "this runner was removed");
  return runner;
}

Result<core::Run> dispatch_to(OperationContext& ctx, core::Worker const& worker,
                              std::optional<core::Runner> const& runner);

/// The first of the workers that has a task gets it.
Result<core::Run> dispatch_to_any(OperationContext& ctx, std::vector<std::string> const& names,
                                  std::optional<core::Runner> const& runner) {
  if (names.size() > kMostWorkers)
    return core::refuse(Code::kInvalidInput, "\"workers\" may have at most 500 entries", "workers");
  Result<core::Run> out = core::refuse(Code::kNothingToPick, "no worker is named");
  for (auto const& name : names) {
    auto const* worker = ctx.tx.worker(name);
    if (!worker) continue;
    auto run = dispatch_to(ctx, *worker, runner);
    if (run) return run;
    bool const is_unfinished = !out && out.error().code == Code::kPickUnfinished;
    if (!is_unfinished) out = std::move(run);
  }
  if (!out && out.error().code != Code::kPickUnfinished)
    out = core::refuse(Code::kNothingToPick, out.error().message);
  return out;
}

}  // namespace

Result<DispatchStatus> dispatch_status(OperationContext& ctx, NoRequest const&) {
  DispatchStatus out;
  out.paused = is_everything_paused(ctx);
  for (auto const* board : ctx.tx.boards())
    if (!board->auto_dispatch && !board->archived) out.paused_boards.push_back(board->name);
  for (auto const& worker : ctx.tx.workers())
    if (worker.paused) out.paused_workers.push_back(worker.name);
  out.running = static_cast<std::int64_t>(ctx.tx.live_runs().size());
  out.slots = slots_of_server(ctx);
  out.ready = tasks_ready(ctx);
  out.runner = has_runner(ctx);
  out.frozen = frozen_now(ctx);
  out.budgets = days_of(ctx);
  return out;
}

Result<DispatchStatus> set_dispatch(OperationContext& ctx, DispatchState const& r) {
  core::Event event;
  if (r.board.empty()) {
    pause_everything(ctx, r.paused);
    event.kind = core::EventKind::dispatch_changed;
  } else {
    ANDON_TRY(auto const* found, find_board(ctx, r.board));
    auto board = *found;
    board.auto_dispatch = !r.paused;
    board.rev = core::next(board.rev);
    ctx.tx.put(board);
    event.kind = core::EventKind::board_changed;
    event.board = board.name;
  }
  append_event(ctx, std::move(event), {{"paused", r.paused ? "true" : "false"}});
  return dispatch_status(ctx, {});
}

Result<DispatchLimit> limit_dispatch(OperationContext& ctx, DispatchLimit const& r) {
  if (r.slots < 0 || r.slots > kMostSlots)
    return core::refuse(Code::kInvalidInput, "\"slots\" must be from 0 to 1000", "slots");
  keep_slots(ctx, r);
  core::Event event;
  event.kind = core::EventKind::dispatch_changed;
  append_event(ctx, std::move(event), {{"slots", std::to_string(r.slots)}});
  return r;
}

Result<ServerAgents> report_agents(OperationContext& ctx, ServerAgents const& said) {
  if (said.agents.size() > kMostAgentsOfServer)
    return core::refuse(Code::kInvalidInput, "\"agents\" may have at most 1000 entries", "agents");
  keep_agents_of_server(ctx, said.agents);
  return said;
}

Result<core::Run> dispatch_next(OperationContext& ctx, DispatchRequest const& r) {
  ANDON_TRY(auto const runner, calling_runner(ctx));
  if (!r.workers.empty()) return dispatch_to_any(ctx, r.workers, runner);
  ANDON_TRY(auto const worker, find_worker(ctx, r.worker, "worker"));
  return dispatch_to(ctx, worker, runner);
}

namespace {

Result<core::Run> dispatch_to(OperationContext& ctx, core::Worker const& worker,
                              std::optional<core::Runner> const& runner) {
  if (worker.paused || is_everything_paused(ctx))
    return core::refuse(Code::kNothingToPick, "dispatch is paused");
  ANDON_CHECK(check_capacity(ctx, worker, 0));
  ANDON_CHECK(usable_agent(ctx, worker));
  ANDON_CHECK(check_quiet(ctx, worker));
  ANDON_CHECK(check_day(ctx, worker));
  auto boards = ctx.tx.boards();
  if (runner) ANDON_CHECK(keep_to_runner(ctx, *runner, worker, boards));
  auto const frozen = frozen_now(ctx);
  auto const faults = held_faults(ctx);
  if (auto const* fault = fault_among(faults, core::FaultScope::machine, ctx.server))
    return core::refuse(Code::kNothingToPick, "nothing starts on this machine: " + fault->text);
  std::erase_if(boards, [&](core::Board const* board) {
    return is_frozen(frozen, board->name, worker.name) || board->archived || !board->auto_dispatch ||
           !core::serves(worker, board->name) || !check_slots(ctx, *board) || !check_day(ctx, *board) ||
           fault_among(faults, core::FaultScope::board, board->name);
  });
  ANDON_TRY(auto change, next_for(ctx, boards, worker, gate_for(ctx, worker)));
  ANDON_CHECK(put_to_work(ctx, change, worker));
  auto const task = save(ctx, change, core::EventKind::task_claimed, {{"by", worker.name}});
  if (!has_live_run(ctx, task))
    return core::refuse(Code::kConflict, "worker \"" + worker.name + "\" has no agent to run");
  return *ctx.tx.run(*task.run);
}

}  // namespace

}  // namespace andon::service
