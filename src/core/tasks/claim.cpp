#include "core/tasks/claim.hpp"

#include "core/model/stage.hpp"
#include "core/model/task.hpp"
#include "core/tasks/work_state.hpp"

namespace andon::core {
namespace {

/// A duration in whole minutes, in the form of kanban-md: `59m0s`, `1h30m0s`.
std::string whole_minutes(Duration left) {
  auto const minutes = std::chrono::floor<std::chrono::minutes>(left).count();
  if (minutes <= 0) return "0s";
  auto const hours = minutes / 60;
  return (hours > 0 ? std::to_string(hours) + "h" : "") + std::to_string(minutes % 60) + "m0s";
}

Error claimed_error(Task const& task, Instant now) {
  auto const left = task.claim_expires ? whole_minutes(*task.claim_expires - now) : std::string{"unknown"};
  return Error{Code::kTaskClaimed,
               "task #" + std::to_string(task.id) + " is claimed by \"" + task.claimed_by + "\" (" +
                   remaining(task, now) + ")",
               {},
               {},
               std::make_shared<Task const>(task)}
      .with("id", task.id)
      .with("claimed_by", task.claimed_by)
      .with("remaining", left);
}

Error stale_error(Task const& task, Epoch epoch) {
  return Error{Code::kStaleClaim,
               "claim " + std::to_string(epoch) + " of task #" + std::to_string(task.id) +
                   " is over; stop working on it and pick again",
               "epoch",
               {},
               std::make_shared<Task const>(task)}
      .with("id", task.id)
      .with("epoch", epoch)
      .with("current_epoch", task.epoch);
}

}  // namespace

bool is_claimed(Task const& task, Instant now) {
  return !task.claimed_by.empty() && (task.state.supervised || !is_lease_over(task, now));
}

bool is_lease_over(Task const& task, Instant now) { return task.claim_expires && *task.claim_expires <= now; }

bool is_held_by(Task const& task, std::string_view holder, Instant now) {
  return is_claimed(task, now) && task.claimed_by == holder;
}

void hide_ended_claim(Task& task, Instant now) {
  if (task.claimed_by.empty() || is_claimed(task, now)) return;
  task.claimed_by.clear();
  task.claimed_at.reset();
  task.claim_expires.reset();
}

Result<void> check_claim(Task const& task, ClaimProof const& proof, Instant now) {
  if (proof.force) return {};
  if (proof.epoch && (*proof.epoch != task.epoch || task.claimed_by.empty() || is_lease_over(task, now)))
    return refuse(stale_error(task, *proof.epoch));
  if (!proof.epoch && is_claimed(task, now) && task.claimed_by != proof.holder)
    return refuse(claimed_error(task, now));
  return {};
}

Result<void> check_renewal(Task const& task, ClaimProof const& proof) {
  bool const is_right = proof.epoch == task.epoch && !task.claimed_by.empty();
  return is_right ? Result<void>{} : refuse(stale_error(task, proof.epoch.value_or(0)));
}

void claim(Task& task, std::string_view holder, Duration lease, Instant now) {
  if (!is_held_by(task, holder, now)) {
    task.epoch = next(task.epoch);
    task.claimed_by = holder;
    task.claimed_at = now;
  }
  renew(task, lease, now);
}

void begin_attempt(Task& task, std::string_view holder, Duration lease, Instant now) {
  end_claim(task);
  remark(task, WorkRemark::none);
  claim(task, holder, lease, now);
  ++task.attempt;
}

void renew(Task& task, Duration lease, Instant now) {
  if (lease > Duration::zero())
    task.claim_expires = now + lease;
  else
    task.claim_expires.reset();
}

void end_claim(Task& task) {
  end_report(task);
  if (task.claimed_by.empty()) return;
  task.epoch = next(task.epoch);
  task.claimed_by.clear();
  task.claimed_at.reset();
  task.claim_expires.reset();
  task.state.supervised = false;
}

void hold_for_engine(Task& task, Instant now) {
  end_claim(task);
  claim(task, kEngine, {}, now);
  task.state.supervised = true;
  note_landing(task);
}

bool is_held_by_engine(Task const& task) { return task.state.report == ReportState::landing; }

bool is_asked_by_live_run(Task const& task) {
  if (!task.question || !task.question->run || task.question->run != task.run) return false;
  bool const is_held = task.state.supervised && !task.claimed_by.empty() && !is_held_by_engine(task);
  return is_held && !task.state.stopping && is_in_work(task.stage);
}

std::string remaining(Task const& task, Instant now) {
  if (!task.claim_expires) return "never expires";
  auto const left = *task.claim_expires - now;
  if (left <= Duration::zero()) return "expired";
  if (left < std::chrono::minutes{1})
    return "expires in " + to_text(std::chrono::ceil<std::chrono::seconds>(left));
  return "expires in " + to_text(std::chrono::round<std::chrono::minutes>(left));
}

}  // namespace andon::core
