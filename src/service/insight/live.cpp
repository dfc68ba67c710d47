#include "service/insight/live.hpp"

#include <algorithm>
#include <map>

#include "core/tasks/claim.hpp"
#include "service/boards/boards.hpp"
#include "service/limits/freeze.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/tasks/kernel/start_work.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::EventKind;
using core::Result;

constexpr int kDoneShown = 50;
constexpr int kColumnShown = 500;
constexpr int kMostShown = 5'000;

Result<int> shown(std::optional<int> asked, int usual, std::string_view field) {
  auto const n = asked.value_or(usual);
  if (n < 0 || n > kMostShown)
    return core::refuse(core::Code::kInvalidInput, "\"" + std::string{field} + "\" must be from 0 to 5000",
                        std::string{field});
  return n;
}

Result<void> add_column(OperationContext& ctx, core::Column const& column, Snapshot& out, int most) {
  bool const finished = core::is_terminal(column.stage);
  store::TaskFilter filter;
  filter.board = out.board.id;
  filter.statuses = {column.name};
  filter.now = ctx.now;
  if (most == 0) return {};
  store::Page page{static_cast<std::size_t>(most),
                   {},
                   finished ? store::TaskOrder::updated : store::TaskOrder::pick,
                   finished};
  ANDON_TRY(auto tasks, ctx.tx.list(filter, page));
  for (auto const& task : tasks.tasks) out.tasks.push_back(card_of(ctx, task));
  if (!tasks.next.empty()) out.more[column.name] = {tasks.next, column.count.value_or(0)};
  return {};
}

struct WhyRow {
  EventKind event;
  std::string_view why;
};
constexpr std::array kWhy{
    WhyRow{EventKind::task_claimed, "claim"},      WhyRow{EventKind::task_started, "dispatch"},
    WhyRow{EventKind::run_started, "dispatch"},    WhyRow{EventKind::task_completed, "finished"},
    WhyRow{EventKind::task_submitted, "finished"}, WhyRow{EventKind::task_accepted, "finished"},
    WhyRow{EventKind::task_failed, "failed"},      WhyRow{EventKind::task_retried, "failed"},
    WhyRow{EventKind::task_killed, "killed"},      WhyRow{EventKind::task_blocked, "blocked"},
    WhyRow{EventKind::task_released, "stale"},     WhyRow{EventKind::task_archived, "archived"},
    WhyRow{EventKind::task_deleted, "deleted"},
};

std::string why_of(core::Event const& event) {
  for (auto const& row : kWhy)
    if (row.event == event.kind) return std::string{row.why};
  if (event.data.find("\"open_deps\"") != std::string::npos) return "dependency";
  return "user";
}

BoardChanges& entry(Changes& changes, std::string const& board) {
  for (auto& one : changes.boards)
    if (one.board == board) return one;
  changes.boards.push_back({board, {}, {}, false});
  return changes.boards.back();
}

void add_worker(Changes& changes, std::string name) {
  if (std::ranges::find(changes.workers, name) == changes.workers.end())
    changes.workers.push_back(std::move(name));
}

/// One entry per task; the last event that says why wins.
void touch(BoardChanges& board, core::Event const& event) {
  auto found = std::ranges::find(board.tasks, *event.task, &TouchedTask::id);
  if (found == board.tasks.end()) {
    board.tasks.push_back({*event.task, 0, false, {}, {}});
    found = std::prev(board.tasks.end());
  }
  found->why = {why_of(event), event.actor.name.empty() ? core::to_text(event.actor) : event.actor.name,
                event.mutation};
}

void fill(OperationContext& ctx, BoardChanges& board) {
  for (auto& touched : board.tasks) {
    auto const task = ctx.tx.task(touched.id);
    touched.gone = !task || core::is_archived(task->stage) || task->board != board.board;
    if (task) touched.rev = task->rev;
    if (!touched.gone) touched.card = card_of(ctx, *task);
  }
  if (board.tasks.empty() && !board.board_edited) return;
  if (auto const* now = ctx.tx.board(board.board)) board.counts = with_counts(ctx, *now);
}

}  // namespace

DispatchLight dispatch_light(OperationContext& ctx, core::Board const& board) {
  DispatchLight out{is_dispatch_paused(ctx, board), {}};
  if (auto const frozen = frozen_now(ctx); is_frozen(frozen, board.name, {}))
    out.stopped = StoppedLine{frozen.by, frozen.since};
  return out;
}

Result<Snapshot> snapshot(OperationContext& ctx, SnapshotRequest const& r) {
  ANDON_TRY(auto const done, shown(r.done, kDoneShown, "done"));
  ANDON_TRY(auto const most, shown(r.column_max, kColumnShown, "column_max"));
  ANDON_TRY(auto const* board, find_board(ctx, r.board));
  Snapshot out;
  out.seq = ctx.tx.last_seq();
  if (ctx.origin) {
    out.epoch = ctx.origin->incarnation;
    out.build = ctx.origin->build;
  }
  out.server_time = ctx.now;
  out.board = with_counts(ctx, *board);
  Lights const lights{ctx};
  for (auto& worker : ctx.tx.workers())
    if (core::serves(worker, out.board.name)) out.workers.push_back(lights.on(std::move(worker)));
  out.dispatch = dispatch_light(ctx, out.board);
  for (auto const& column : out.board.columns) {
    if (core::is_archived(column.stage)) continue;
    ANDON_CHECK(add_column(ctx, column, out, core::is_terminal(column.stage) ? done : most));
  }
  return out;
}

Changes changes_since(OperationContext& ctx, core::EventSeq since, std::vector<std::string> const& boards,
                      std::size_t most) {
  Changes out;
  out.from = core::next(since);
  out.to = ctx.tx.last_seq();
  if (out.to < since) {
    out.too_many = true;
    return out;
  }
  store::EventFilter filter;
  filter.after = since;
  filter.boards = boards;
  filter.limit = most + 1;
  auto const events = ctx.tx.events(filter);
  if (events.size() > most) {
    out.too_many = true;
    return out;
  }
  for (auto const& event : events) {
    if (event.kind == EventKind::dispatch_changed) out.dispatch_changed = true;
    if (event.kind == EventKind::worker_changed) add_worker(out, fact_of(event, "worker"));
    if (event.board.empty()) continue;
    auto& board = entry(out, event.board);
    if (event.kind == EventKind::board_changed) board.board_edited = true;
    if (event.task) touch(board, event);
  }
  for (auto& board : out.boards) fill(ctx, board);
  out.dispatch_paused = is_everything_paused(ctx);
  return out;
}

std::optional<DispatchLight> dispatch_light_of(OperationContext& ctx, std::string_view board) {
  auto const* const found = ctx.tx.board(board);
  if (!found) return std::nullopt;
  return dispatch_light(ctx, core::Board{*found});
}

Result<std::vector<std::string>> boards_to_follow(OperationContext& ctx,
                                                  std::vector<std::string> const& asked) {
  std::vector<std::string> out;
  for (auto const& name : asked) {
    ANDON_TRY(auto const* board, find_board(ctx, name));
    if (std::ranges::find(out, board->name) == out.end()) out.push_back(board->name);
  }
  if (!asked.empty()) return out;
  if (ctx.caller.run) return std::vector{ctx.caller.run->board};
  for (auto const* board : ctx.tx.boards())
    if (!board->archived) out.push_back(board->name);
  return out;
}

}  // namespace andon::service
