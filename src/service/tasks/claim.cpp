#include "service/tasks/claim.hpp"

#include <algorithm>
#include <utility>

#include "core/boards/wip.hpp"
#include "core/tasks/pick.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "service/tasks/landing.hpp"
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

/// The strict machine has no claim of what waits in the backlog, and no worker takes what nobody has
/// approved.
Result<void> check_out_of_backlog(Unit const& u, Change const& change) {
  auto const& task = change.after;
  if (task.stage == core::Stage::backlog && change.board.workflow == core::Workflow::strict)
    ANDON_CHECK(core::check_verb(task.stage, core::Verb::claim));
  return check_approved(u, change.board, task, core::Stage::claimed);
}

}  // namespace

std::vector<core::TaskId> open_dependency_ids(Unit& u, core::Task const& task) {
  std::vector<core::TaskId> out;
  for (auto const id : task.depends_on) {
    auto const other = u.tx.task(id);
    if (other && !core::is_terminal(other->stage)) out.push_back(id);
  }
  return out;
}

Result<void> check_dependencies_closed(Unit& u, core::Task const& task) {
  if (task.state.open_deps == 0) return {};
  std::vector<std::string> open;
  std::string text;
  for (auto const id : open_dependency_ids(u, task)) {
    open.push_back(std::to_string(id));
    text += (text.empty() ? "#" : ", #") + open.back();
  }
  auto const who = task.id == 0 ? "the new task" : "task #" + std::to_string(task.id);
  return core::refuse(core::Error{
      Code::kDependencyOpen, who + " waits for " + text, {}, {}, std::make_shared<core::Task const>(task)}
                          .with("id", task.id)
                          .with("depends_on", std::move(open)));
}

bool has_live_run(Unit& u, core::Task const& task) {
  auto const run = task.run ? u.tx.run(*task.run) : std::nullopt;
  return run && run->state != core::RunState::ended;
}

core::Duration lease_of(core::Board const& board, core::Task const& task) {
  return task.state.supervised ? kSupervisedLease : board.claim_timeout;
}

Result<void> check_capacity(Unit& u, core::Worker const& worker, core::TaskId but) {
  auto held = u.tx.claims_of(worker.name, u.now);
  for (auto const& run : u.tx.live_runs())
    if (run.worker == worker.name) held.push_back(run.task);
  std::ranges::sort(held);
  auto const [repeated, end] = std::ranges::unique(held);
  held.erase(repeated, end);
  std::erase(held, but);
  if (std::cmp_less(held.size(), worker.capacity)) return {};
  return busy(worker, held.empty() ? 0 : held.front());
}

Result<void> check_holder(Unit& u, Change const& change) {
  if (core::uses_capacity(change.before.stage) || !core::uses_capacity(change.after.stage)) return {};
  if (!core::is_claimed(change.after, u.now)) return {};
  auto const* worker = u.tx.worker(change.after.claimed_by);
  return worker ? check_capacity(u, *worker, change.after.id) : Result<void>{};
}

OpenDependencies open_dependencies_for(Unit& u, std::string const& name) {
  return u.tx.worker(name) ? OpenDependencies::refuse : OpenDependencies::accept;
}

Result<void> take_claim(Unit& u, Change& change, std::string const& name, OpenDependencies open) {
  ANDON_CHECK(check_name(name));
  ANDON_CHECK(check_claimable(change));
  if (core::is_held_by(change.after, name, u.now)) {
    core::renew(change.after, lease_of(change.board, change.after), u.now);
    return {};
  }
  if (open == OpenDependencies::refuse) ANDON_CHECK(check_dependencies_closed(u, change.after));
  if (auto const* worker = u.tx.worker(name); worker && core::uses_capacity(change.after.stage))
    ANDON_CHECK(check_capacity(u, *worker, change.after.id));
  core::end_claim(change.after);
  core::claim(change.after, name, change.board.claim_timeout, u.now);
  ++change.after.attempt;
  return {};
}

Result<core::Task> claim_task(Unit& u, ClaimTaskRequest const& r) {
  auto const name = is_run(u) || r.by.empty() ? holder(u) : r.by;
  ANDON_TRY(auto change, open_claimed(u, r.id, {name, r.epoch, r.force}));
  if (change.forced) {
    ANDON_CHECK(check_name(name));
    ANDON_TRY(auto const stopping, stop_first(u, change, {"claim", {}, "claimed by " + name, {}, {}, name}));
    if (stopping) return save(u, change, core::EventKind::task_edited, {{"stopping", "claim"}, {"by", name}});
  }
  bool const renewing = core::is_held_by(change.before, name, u.now);
  if (!renewing) ANDON_CHECK(check_out_of_backlog(u, change));
  ANDON_CHECK(take_claim(u, change, name));
  if (!renewing && change.before.stage == core::Stage::ready)
    if (auto const* column = core::first_column(change.board, core::Stage::claimed)) {
      ANDON_CHECK(
          core::check_wip(change.board, u.tx.load(change.board.id), *column, change.after, &change.before));
      place(change, *column, u.now);
    }
  return save(u, change, renewing ? core::EventKind::task_renewed : core::EventKind::task_claimed,
              {{"by", name}});
}

void apply_release(Unit& u, Change& change) {
  core::end_claim(change.after);
  // On an open board released work stays in its column, where the next one may pick it up.
  bool const strict = change.board.workflow == core::Workflow::strict;
  if (change.after.stage == core::Stage::claimed || (strict && core::is_in_work(change.after.stage)))
    land(u, change, core::Stage::ready);
}

core::Error claim_required(std::string const& column) {
  return core::Error{
      Code::kClaimRequired,
      "status \"" + column + "\" requires a claim: use --claim NAME (the command agent-name makes one)",
      "claim",
      {},
      {}}
      .with("status", column);
}

Result<core::Task> release_task(Unit& u, HeldTaskRequest const& r) {
  ANDON_TRY(auto change, open(u, r.id));
  if (is_run(u) || r.epoch) ANDON_CHECK(check_proof(u, change, proof_of(r)));
  if (change.before.claimed_by.empty()) return change.before;
  if (!is_run(u)) {
    ANDON_TRY(auto const stopping, stop_first(u, change, {"release", {}, "released", {}, {}}));
    if (stopping) return save(u, change, core::EventKind::task_edited, {{"stopping", "release"}});
  }
  auto const by = change.before.claimed_by;
  apply_release(u, change);
  return save(u, change, core::EventKind::task_released, {{"by", by}});
}

namespace {

/// A supervised lease is short and beats all the time, so a beat is written only when it adds a quarter of
/// the lease. Every beat of anybody else counts.
bool is_worth_writing(core::Task const& before, core::Task const& after) {
  if (before.claim_expires == after.claim_expires) return false;
  if (!after.state.supervised || !before.claim_expires || !after.claim_expires) return true;
  return *after.claim_expires - *before.claim_expires >= kSupervisedLease / 4;
}

/// Nobody took the task since its claim was over; what the end of the claim freed may be taken all the same.
Result<void> check_late_renewal(Unit& u, core::Task const& task) {
  if (core::is_claimed(task, u.now)) return {};
  auto const* worker = u.tx.worker(task.claimed_by);
  if (worker && core::uses_capacity(task.stage)) ANDON_CHECK(check_capacity(u, *worker, task.id));
  if (task.touches.empty() || core::is_in_work(task.stage)) return {};
  auto const* board = u.tx.board(task.board);
  auto const busy = board ? u.tx.touching(board->id) : std::vector<core::Task>{};
  for (auto const& other : busy) {
    bool const in_hands = core::is_in_work(other.stage) || core::is_claimed(other, u.now);
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

Result<Heartbeat> heartbeat(Unit& u, HeartbeatRequest const& r) {
  ANDON_TRY(auto change, open(u, r.id));
  ANDON_CHECK(core::check_renewal(change.before, {holder(u), r.epoch, false}));
  ANDON_CHECK(check_late_renewal(u, change.before));
  auto& task = change.after;
  core::renew(task, lease_of(change.board, task), u.now);
  if (is_worth_writing(change.before, task))
    u.tx.put(task);
  else
    task.claim_expires = change.before.claim_expires;
  auto const run = task.run ? u.tx.run(*task.run) : std::nullopt;
  return Heartbeat{task.claim_expires,
                   run && run->state == core::RunState::stopping,
                   is_dispatch_paused(u, change.board),
                   task.priority,
                   run ? run->progress : std::nullopt,
                   task.flag == core::kReported};
}

}  // namespace andon::service
