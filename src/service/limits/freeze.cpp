#include "service/limits/freeze.hpp"

#include <algorithm>

#include "reflect/json.hpp"
#include "service/event_log.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Result;

constexpr std::string_view kFrozen = "dispatch.frozen";

bool holds(std::vector<std::string> const& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void set(std::vector<std::string>& names, std::string const& name, bool present) {
  std::erase(names, name);
  if (present) names.push_back(name);
  std::ranges::sort(names);
}

void tell_frozen(OperationContext& ctx, FreezeRequest const& r, bool frozen) {
  core::Event event;
  event.kind = core::EventKind::dispatch_changed;
  event.board = r.board;
  Facts facts{{"frozen", frozen ? "true" : "false"}};
  if (!r.worker.empty()) facts.emplace_back("worker", r.worker);
  append_event(ctx, std::move(event), facts);
}

/// Frozen time does not count as silence.
void forgive_silence(OperationContext& ctx, Frozen const& before, Frozen const& after) {
  for (auto& run : ctx.tx.live_runs()) {
    if (!is_frozen(before, run.board, run.worker) || is_frozen(after, run.board, run.worker)) continue;
    run.progress = ctx.now;
    ctx.tx.put(run);
  }
}

Result<Frozen> change(OperationContext& ctx, FreezeRequest r, bool frozen) {
  auto const before = frozen_now(ctx);
  auto after = before;
  if (!r.board.empty()) {
    ANDON_TRY(auto const* board, find_board(ctx, r.board));
    r.board = board->name;
    set(after.boards, board->name, frozen);
  }
  if (!r.worker.empty()) {
    ANDON_TRY(auto const worker, find_worker(ctx, r.worker, "worker"));
    r.worker = worker.name;
    set(after.workers, worker.name, frozen);
  }
  if (r.board.empty() && r.worker.empty()) {
    after.everything = frozen;
    if (!frozen) after = {};
  }
  if (frozen) {
    after.by = core::to_text(ctx.caller.actor);
    after.since = ctx.now;
  } else if (!after.everything && after.boards.empty() && after.workers.empty()) {
    after = {};
  }
  ctx.tx.set_setting(kFrozen, reflect::to_json(after));
  forgive_silence(ctx, before, after);
  tell_frozen(ctx, r, frozen);
  return after;
}

}  // namespace

Frozen frozen_now(OperationContext& ctx) {
  auto const text = ctx.tx.setting(kFrozen);
  auto frozen = text ? reflect::read_json<Frozen>(*text, reflect::Unknown::ignore) : Frozen{};
  return frozen ? *std::move(frozen) : Frozen{};
}

bool is_frozen(Frozen const& frozen, std::string_view board, std::string_view worker) {
  return frozen.everything || holds(frozen.boards, board) || holds(frozen.workers, worker);
}

Result<Frozen> list_frozen(OperationContext& ctx, NoRequest const&) { return frozen_now(ctx); }
Result<Frozen> freeze(OperationContext& ctx, FreezeRequest const& r) { return change(ctx, r, true); }
Result<Frozen> thaw(OperationContext& ctx, FreezeRequest const& r) { return change(ctx, r, false); }

}  // namespace andon::service
