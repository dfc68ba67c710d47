#include "service/tasks/kernel/claims.hpp"

#include <algorithm>
#include <utility>

#include "core/boards/wip.hpp"
#include "core/tasks/apply.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "service/tasks/kernel/dependencies.hpp"
#include "service/tasks/kernel/placement.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kNameBytes = 200;

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
  if (core::is_backlog(task.stage) && change.board.workflow == core::Workflow::strict)
    ANDON_CHECK(core::check_verb(task.stage, core::Verb::claim));
  if (is_own(ctx, name)) return {};
  ANDON_CHECK(core::check_approved(change.board, task, core::Stage::claimed));
  if (!core::is_blocked(task)) return {};
  return core::refuse(
      core::Error{Code::kIllegalTransition,
                  "task #" + std::to_string(task.id) + " is blocked and cannot be claimed; unblock it first",
                  {},
                  {},
                  std::make_shared<core::Task const>(task)}
          .with("id", task.id));
}

/// Refuses a claim for a name. Whoever holds the task already only renews.
Result<void> check_takeable(OperationContext& ctx, Change const& change, std::string const& name,
                            OpenDependencies open) {
  ANDON_CHECK(check_holder_name(name));
  ANDON_CHECK(check_claimable(change));
  auto const& task = change.after;
  if (core::is_held_by(task, name, ctx.now)) return {};
  if (open == OpenDependencies::refuse) ANDON_CHECK(check_dependencies_closed(ctx, task));
  auto const* worker = core::uses_capacity(task.stage) ? ctx.tx.worker(name) : nullptr;
  return worker ? check_capacity(ctx, *worker, task.id) : Result<void>{};
}

}  // namespace

Result<void> check_holder_name(std::string const& name) {
  bool const good =
      !name.empty() && name.size() <= kNameBytes && !core::is_unsafe_line(name) && !core::is_blank(name);
  if (good) return {};
  return core::refuse(Code::kInvalidInput,
                      "a claim needs the name of its holder: one line of at most 200 bytes", "claim");
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
  return busy(worker, held.empty() ? core::TaskId{} : held.front());
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
  ANDON_CHECK(check_takeable(ctx, change, name, open));
  auto& task = change.after;
  if (core::is_held_by(task, name, ctx.now))
    core::renew(task, lease_of(change.board, task), ctx.now);
  else
    core::begin_attempt(task, name, change.board.claim_timeout, ctx.now);
  return {};
}

Result<void> prepare_claim(OperationContext& ctx, Change& change, std::string const& name) {
  if (core::is_held_by(change.before, name, ctx.now)) return take_claim(ctx, change, name);
  ANDON_CHECK(check_may_begin(ctx, change, name));
  ANDON_CHECK(check_takeable(ctx, change, name, OpenDependencies::refuse));
  core::Situation const situation{.load = ctx.tx.load(change.board.id), .now = ctx.now};
  core::apply(core::Verb::claim, change, situation, {.held_as = name, .lease = change.board.claim_timeout},
              core::Entry::checked);
  return change.moved ? core::check_room(change, situation.load) : Result<void>{};
}

core::Error claim_required(std::string const& column) {
  return core::Error{Code::kClaimRequired, "status \"" + column + "\" requires a claim", "claim", {}, {}}
      .with("status", column);
}

}  // namespace andon::service
