#include "service/runs/clock_steps.hpp"

#include <algorithm>

#include "reflect/json.hpp"
#include "service/limits/accounts.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::ClockReading;
using core::Duration;
using core::Instant;

constexpr std::string_view kClockSetting = "clock";

void keep(OperationContext& ctx, ClockReading const& reading) {
  ctx.tx.set_setting(kClockSetting, reflect::to_json(reading));
}

/// Moves the times of the next attempts by a step of the clock. It leaves out tasks of attached boards: their
/// times are in files, and other programs compare them with the wall clock.
void move_retries(OperationContext& ctx, Instant after, Duration by) {
  for (auto& task : ctx.tx.retries_after(after)) {
    auto const* board = ctx.tx.board(task.board);
    if (!board || core::is_attached(*board)) continue;
    *task.not_before += by;
    task.state.retry_at = task.not_before;
    ctx.tx.put(task);
  }
}

/// Moves the times of the last progress too, so that no worker is shown as stale.
void move_progress(OperationContext& ctx, Duration by) {
  for (auto& run : ctx.tx.live_runs()) {
    if (!run.progress) continue;
    *run.progress += by;
    ctx.tx.put(run);
  }
}

/// Moves the times by a step. After a step backwards, times that had passed must not lie ahead again, so they
/// are moved as well.
void move_times(OperationContext& ctx, Duration by) {
  auto const before = ctx.now - by;
  auto const after = std::min(before, ctx.now);
  ctx.tx.move_claims_after(after, by);
  move_retries(ctx, after, by);
  move_progress(ctx, by);
  move_rests(ctx, by);
}

void extend_claims(OperationContext& ctx, Instant lived_at) {
  ctx.tx.extend_claims_after(lived_at, ctx.now + kSupervisedLease, {});
  for (auto const* board : ctx.tx.boards())
    if (!core::is_attached(*board) && board->claim_timeout > Duration::zero())
      ctx.tx.extend_claims_after(lived_at, ctx.now + board->claim_timeout, board->id);
}

}  // namespace

std::optional<ClockReading> kept_clock(store::Tx& tx) {
  auto const text = tx.setting(kClockSetting);
  if (!text) return std::nullopt;
  auto read = reflect::read_json<ClockReading>(*text, reflect::Unknown::ignore);
  return read ? std::optional{*std::move(read)} : std::nullopt;
}

ClockReading follow_clock(OperationContext& ctx, ClockReading const& now, Absence absence) {
  auto const kept = kept_clock(ctx.tx);
  if (!kept) {
    keep(ctx, now);
    return now;
  }
  auto const step = core::step_between(*kept, now);
  auto const slept = core::sleep_between(*kept, now);
  bool const is_in_order = kept->boot == now.boot && step == Duration::zero() && slept == Duration::zero();
  if (is_in_order && absence == Absence::nobody) return *kept;
  if (step != Duration::zero()) move_times(ctx, step);
  if (absence == Absence::server)
    extend_claims(ctx, kept->wall + step);
  else if (slept > Duration::zero())
    extend_claims(ctx, ctx.now - slept);
  auto const settled = step == Duration::zero() ? core::without_step(*kept, now) : now;
  keep(ctx, settled);
  return settled;
}

ClockReading note_clock(OperationContext& ctx, ClockReading const& kept, ClockReading const& now) {
  if (ctx.tx.claims_after(ctx.now, 1).empty()) return kept;
  auto const noted = core::without_step(kept, now);
  keep(ctx, noted);
  return noted;
}

}  // namespace andon::service
