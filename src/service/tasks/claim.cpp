#include "service/tasks/claim.hpp"

#include <algorithm>
#include <utility>

#include "core/boards/wip.hpp"
#include "core/tasks/pick.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "service/tasks/place_or_queue.hpp"
#include "service/tasks/start_work.hpp"
#include "service/tasks/stop.hpp"
#include "service/tasks/transition.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kNameBytes = 200;

Result<void> check_name(std::string const& name) {
  bool const good =
      !name.empty() && name.size() <= kNameBytes && !core::is_unsafe_line(name) && !core::is_blank(name);
  if (good) return {};
  return core::refuse(Code::kInvalidInput,
                      "a claim needs the name of its holder: one line of at most 200 bytes", "claim");
}

Result<void> check_claimable(Change const& change) {
  auto const& task = change.before;
  if (core::is_finished(task.stage) && core::is_finished(change.after.stage))
    return core::refuse(Code::kIllegalTransition, "task #" + std::to_string(task.id) + " is " +
                                                      std::string{core::to_text(task.stage)} +
                                                      " and cannot be claimed");
  return {};
}

std::unexpected<core::Error> busy(core::Worker const& worker, core::TaskId task) {
  return core::refuse(core::Error{
      Code::kWorkerBusy,
      "Worker \"" + worker.name + "\" already has task #" + std::to_string(task) + " in progress",
      {},
      {},
      {}}.with("worker", worker.name)
                          .with("task", task));
}

/// Whether a claim for that name is a person's own. A person who names somebody else, registered or not,
/// hands the task to an agent.
bool is_own(OperationContext const& ctx, std::string const& name) {
  return acting_worker(ctx).empty() && name == holder(ctx);
}

/// A strict board has no claim on tasks in the backlog, and no agent claims what pick passes over: a task
/// without approval, or blocked work.
Result<void> check_may_begin(OperationContext const& ctx, Change const& change, std::string const& name) {
  auto const& task = change.after;
  if (task.stage == core::Stage::backlog && change.board.workflow == core::Workflow::strict)
    ANDON_CHECK(core::check_verb(task.stage, core::Verb::claim));
  if (is_own(ctx, name)) return {};
  ANDON_CHECK(check_approved(change.board, task, core::Stage::claimed));
  if (!task.blocked && task.stage != core::Stage::blocked) return {};
  return core::refuse(
      core::Error{Code::kIllegalTransition,
                  "task #" + std::to_string(task.id) + " is blocked and cannot be claimed; unblock it first",
                  {},
                  {},
                  std::make_shared<core::Task const>(task)}
          .with("id", task.id));
}

}  // namespace

std::vector<core::TaskId> open_dependency_ids(OperationContext& ctx, core::Task const& task) {
  std::vector<core::TaskId> out;
  for (auto const id : task.depends_on) {
    auto const other = ctx.tx.task(id);
    if (other && !core::is_terminal(other->stage)) out.push_back(id);
  }
  return out;
}

Result<void> check_dependencies_closed(OperationContext& ctx, core::Task const& task) {
  if (task.state.open_deps == 0) return {};
  std::vector<std::string> open;
  std::string text;
  for (auto const id : open_dependency_ids(ctx, task)) {
    open.push_back(std::to_string(id));
    text += (text.empty() ? "#" : ", #") + open.back();
  }
  auto const who = task.id == 0 ? "the new task" : "task #" + std::to_string(task.id);
  return core::refuse(core::Error{
      Code::kDependencyOpen, who + " waits for " + text, {}, {}, std::make_shared<core::Task const>(task)}
                          .with("id", task.id)
                          .with("depends_on", std::move(open)));
}

bool has_live_run(OperationContext& ctx, core::Task const& task) {
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  return run && run->state != core::RunState::ended;
}

core::Duration lease_of(core::Board const& board, core::Task const& task) {
  return task.state.supervised ? kSupervisedLease : board.claim_timeout;
}

Result<void> check_capacity(OperationContext& ctx, core::Worker const& worker, core::TaskId but) {
  auto held = ctx.tx.claims_of(worker.name, ctx.now);
  for (auto const& run : ctx.tx.live_runs())
    if (run.worker == worker.name) held.push_back(run.task);
  std::ranges::sort(held);
  auto const [repeated, end] = std::ranges::unique(held);
  held.erase(repeated, end);
  std::erase(held, but);
  if (std::cmp_less(held.size(), worker.capacity)) return {};
  return busy(worker, held.empty() ? 0 : held.front());
}

Result<void> check_holder(OperationContext& ctx, Change const& change) {
  if (core::uses_capacity(change.before.stage) || !core::uses_capacity(change.after.stage)) return {};
  if (!core::is_claimed(change.after, ctx.now)) return {};
  auto const* worker = ctx.tx.worker(change.after.claimed_by);
  return worker ? check_capacity(ctx, *worker, change.after.id) : Result<void>{};
}

OpenDependencies open_dependencies_for(OperationContext& ctx, std::string const& name) {
  return ctx.tx.worker(name) ? OpenDependencies::refuse : OpenDependencies::accept;
}

Result<void> take_claim(OperationContext& ctx, Change& change, std::string const& name,
                        OpenDependencies open) {
  ANDON_CHECK(check_name(name));
  ANDON_CHECK(check_claimable(change));
  if (core::is_held_by(change.after, name, ctx.now)) {
    core::renew(change.after, lease_of(change.board, change.after), ctx.now);
    return {};
  }
  if (open == OpenDependencies::refuse) ANDON_CHECK(check_dependencies_closed(ctx, change.after));
  if (auto const* worker = ctx.tx.worker(name); worker && core::uses_capacity(change.after.stage))
    ANDON_CHECK(check_capacity(ctx, *worker, change.after.id));
  core::end_claim(change.after);
  core::claim(change.after, name, change.board.claim_timeout, ctx.now);
  ++change.after.attempt;
  return {};
}

Result<void> prepare_claim(OperationContext& ctx, Change& change, std::string const& name) {
  bool const renewing = core::is_held_by(change.before, name, ctx.now);
  if (!renewing) ANDON_CHECK(check_may_begin(ctx, change, name));
  ANDON_CHECK(take_claim(ctx, change, name));
  auto const* column = core::first_column(change.board, core::Stage::claimed);
  if (renewing || !column || change.before.stage != core::Stage::ready) return {};
  ANDON_CHECK(
      core::check_wip(change.board, ctx.tx.load(change.board.id), *column, change.after, &change.before));
  place(change, *column, ctx.now);
  return {};
}

Result<core::Task> claim_task(OperationContext& ctx, ClaimTaskRequest const& r) {
  auto const name = is_run(ctx) || r.by.empty() ? holder(ctx) : r.by;
  ANDON_TRY(auto change, open_claimed(ctx, r.id, {name, r.epoch, r.force}));
  if (change.forced) {
    ANDON_CHECK(check_name(name));
    ANDON_TRY(auto const stopping,
              stop_first(ctx, change, {"claim", {}, "claimed by " + name, {}, {}, name}));
    if (stopping)
      return save(ctx, change, core::EventKind::task_edited, {{"stopping", "claim"}, {"by", name}});
  }
  bool const renewing = core::is_held_by(change.before, name, ctx.now);
  ANDON_CHECK(prepare_claim(ctx, change, name));
  return save(ctx, change, renewing ? core::EventKind::task_renewed : core::EventKind::task_claimed,
              {{"by", name}});
}

void apply_release(OperationContext& ctx, Change& change) {
  core::end_claim(change.after);
  // On an open board released work stays in its column, where the next one may pick it up.
  bool const strict = change.board.workflow == core::Workflow::strict;
  if (change.after.stage == core::Stage::claimed || (strict && core::is_in_work(change.after.stage)))
    place_or_queue(ctx, change, core::Stage::ready);
}

core::Error claim_required(std::string const& column) {
  return core::Error{Code::kClaimRequired, "status \"" + column + "\" requires a claim", "claim", {}, {}}
      .with("status", column);
}

Result<core::Task> release_task(OperationContext& ctx, HeldTaskRequest const& r) {
  ANDON_TRY(auto change, open(ctx, r.id));
  if (is_run(ctx) || r.epoch) ANDON_CHECK(check_proof(ctx, change, proof_of(r)));
  if (change.before.claimed_by.empty()) return change.before;
  if (!is_run(ctx)) {
    ANDON_TRY(auto const stopping, stop_first(ctx, change, {"release", {}, "released", {}, {}}));
    if (stopping) return save(ctx, change, core::EventKind::task_edited, {{"stopping", "release"}});
  }
  auto const by = change.before.claimed_by;
  apply_release(ctx, change);
  return save(ctx, change, core::EventKind::task_released, {{"by", by}});
}

namespace {

/// A supervised lease is short and renewed often, so a renewal is written only when it adds a quarter of the
/// lease. Every renewal by anybody else is written.
bool is_worth_writing(core::Task const& before, core::Task const& after) {
  if (before.claim_expires == after.claim_expires) return false;
  if (!after.state.supervised || !before.claim_expires || !after.claim_expires) return true;
  return *after.claim_expires - *before.claim_expires >= kSupervisedLease / 4;
}

/// Checks a renewal after the end of the claim. Nobody has taken the task since, but other tasks may use what
/// that end freed: the worker's capacity and the touched files.
Result<void> check_late_renewal(OperationContext& ctx, core::Task const& task) {
  if (core::is_claimed(task, ctx.now)) return {};
  auto const* worker = ctx.tx.worker(task.claimed_by);
  if (worker && core::uses_capacity(task.stage)) ANDON_CHECK(check_capacity(ctx, *worker, task.id));
  if (task.touches.empty() || core::is_in_work(task.stage)) return {};
  auto const* board = ctx.tx.board(task.board);
  auto const busy = board ? ctx.tx.touching(board->id) : std::vector<core::Task>{};
  for (auto const& other : busy) {
    bool const in_hands = core::is_in_work(other.stage) || core::is_claimed(other, ctx.now);
    if (other.id != task.id && in_hands && core::any_overlap(task.touches, other.touches))
      return core::refuse(core::Error{Code::kStaleClaim,
                                      "the claim of task #" + std::to_string(task.id) +
                                          " was over and task #" + std::to_string(other.id) +
                                          " touches the same files now; pick again",
                                      "epoch",
                                      {},
                                      std::make_shared<core::Task const>(task)}
                              .with("id", task.id));
  }
  return {};
}

}  // namespace

Result<Heartbeat> heartbeat(OperationContext& ctx, HeartbeatRequest const& r) {
  ANDON_TRY(auto change, open(ctx, r.id));
  ANDON_CHECK(core::check_renewal(change.before, {holder(ctx), r.epoch, false}));
  ANDON_CHECK(check_late_renewal(ctx, change.before));
  auto& task = change.after;
  core::renew(task, lease_of(change.board, task), ctx.now);
  if (is_worth_writing(change.before, task))
    ctx.tx.put(task);
  else
    task.claim_expires = change.before.claim_expires;
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  return Heartbeat{task.claim_expires,
                   run && run->state == core::RunState::stopping,
                   is_dispatch_paused(ctx, change.board),
                   task.priority,
                   run ? run->progress : std::nullopt,
                   task.flag == core::kReported};
}

}  // namespace andon::service
