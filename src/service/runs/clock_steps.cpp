#include "service/runs/clock_steps.hpp"

#include <algorithm>

#include "reflect/json.hpp"
#include "service/limits/accounts.hpp"
#include "service/tasks/claim.hpp"

namespace andon::service {
namespace {

using core::ClockReading;
using core::Duration;
using core::Instant;

constexpr std::string_view kSetting = "clock";

void keep(Unit& u, ClockReading const& reading) { u.tx.set_setting(kSetting, reflect::to_json(reading)); }

/// Those of attached boards stand in files, where other programs judge them by their wall clocks.
void move_retries(Unit& u, Instant after, Duration by) {
  for (auto& task : u.tx.retries_after(after)) {
    auto const* board = u.tx.board(task.board);
    if (!board || core::is_attached(*board)) continue;
    *task.not_before += by;
    task.state.retry_at = task.not_before;
    u.tx.put(task);
  }
}

/// So that no light turns red.
void move_progress(Unit& u, Duration by) {
  for (auto& run : u.tx.live_runs()) {
    if (!run.progress) continue;
    *run.progress += by;
    u.tx.put(run);
  }
}

/// A step backwards must not bring back what was over by the old time, so that is moved as well.
void move_times(Unit& u, Duration by) {
  auto const before = u.now - by;
  auto const after = std::min(before, u.now);
  u.tx.move_claims_after(after, by);
  move_retries(u, after, by);
  move_progress(u, by);
  move_rests(u, by);
}

void extend_claims(Unit& u, Instant lived_at) {
  u.tx.extend_claims_after(lived_at, u.now + kSupervisedLease, {});
  for (auto const* board : u.tx.boards())
    if (!core::is_attached(*board) && board->claim_timeout > Duration::zero())
      u.tx.extend_claims_after(lived_at, u.now + board->claim_timeout, board->id);
}

}  // namespace

std::optional<ClockReading> kept_clock(store::Tx& tx) {
  auto const text = tx.setting(kSetting);
  if (!text) return std::nullopt;
  auto read = reflect::read_json<ClockReading>(*text, reflect::Unknown::ignore);
  return read ? std::optional{*std::move(read)} : std::nullopt;
}

ClockReading follow_clock(Unit& u, ClockReading const& now, Absence absence) {
  auto const kept = kept_clock(u.tx);
  if (!kept) {
    keep(u, now);
    return now;
  }
  auto const step = core::step_between(*kept, now);
  auto const slept = core::sleep_between(*kept, now);
  bool const is_in_order = kept->boot == now.boot && step == Duration::zero() && slept == Duration::zero();
  if (is_in_order && absence == Absence::nobody) return *kept;
  if (step != Duration::zero()) move_times(u, step);
  if (absence == Absence::server)
    extend_claims(u, kept->wall + step);
  else if (slept > Duration::zero())
    extend_claims(u, u.now - slept);
  auto const settled = step == Duration::zero() ? core::without_step(*kept, now) : now;
  keep(u, settled);
  return settled;
}

ClockReading note_clock(Unit& u, ClockReading const& kept, ClockReading const& now) {
  if (u.tx.claims_after(u.now, 1).empty()) return kept;
  auto const noted = core::without_step(kept, now);
  keep(u, noted);
  return noted;
}

}  // namespace andon::service
