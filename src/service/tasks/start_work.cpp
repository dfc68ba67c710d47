#include "service/tasks/start_work.hpp"

#include <algorithm>

#include "reflect/json.hpp"
#include "service/tasks/claim.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::string_view kPaused = "dispatch.paused";
constexpr std::string_view kRunner = "dispatch.runner";
constexpr std::string_view kSlots = "dispatch.slots";

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

bool is_everything_paused(Unit& u) { return u.tx.setting(kPaused) == "1"; }
void pause_everything(Unit& u, bool paused) { u.tx.set_setting(kPaused, paused ? "1" : "0"); }

std::int64_t slots_of_server(Unit& u) {
  auto const text = u.tx.setting(kSlots);
  return text ? reflect::read_json<DispatchLimit>(*text, reflect::Unknown::ignore)
                    .value_or(DispatchLimit{})
                    .slots
              : 0;
}

void keep_slots(Unit& u, DispatchLimit const& limit) { u.tx.set_setting(kSlots, reflect::to_json(limit)); }

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
  return is_everything_paused(u) || !board.auto_dispatch;
}

void set_runner(Unit& u, bool present) { u.tx.set_setting(kRunner, present ? "1" : "0"); }
bool has_runner(Unit& u) { return u.tx.setting(kRunner) == "1"; }

Result<void> put_to_work(Unit& u, Change& change, core::Worker const& worker) {
  bool const runs = has_runner(u) && !worker.agent.empty();
  if (runs && has_live_run(u, change.before))
    return core::refuse(Code::kConflict, "its last agent has not ended yet; try again in a moment");
  ANDON_CHECK(take_claim(u, change, worker.name));
  if (!core::uses_capacity(change.before.stage)) ANDON_CHECK(check_capacity(u, worker, change.after.id));
  if (runs) open_run(u, change, worker);
  return {};
}

}  // namespace andon::service
