#include "service/boards/board_health.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <vector>

#include "core/text/names.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::EventKind;
using core::Stage;

constexpr core::Duration kLookedBack = std::chrono::hours{24};
constexpr std::size_t kMostHealthEvents = 2'000;
constexpr std::size_t kMostInWork = 500;
constexpr std::size_t kShown = 5;
constexpr std::size_t kLineBytes = 200;

struct CountRow {
  std::string_view word;
  std::array<EventKind, 2> kinds;
};
constexpr std::array kCounts{
    CountRow{"created", {EventKind::task_created, EventKind::task_created}},
    CountRow{"finished", {EventKind::task_completed, EventKind::task_accepted}},
    CountRow{"sent back", {EventKind::task_rejected, EventKind::task_rejected}},
    CountRow{"failed attempts", {EventKind::task_retried, EventKind::task_failed}},
    CountRow{"given up", {EventKind::task_failed, EventKind::task_failed}},
    CountRow{"killed", {EventKind::task_killed, EventKind::task_killed}},
};

/// Untrusted text on one line.
std::string line_of(std::string text) {
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return std::string{core::beginning(text, kLineBytes)};
}

std::string name_of(core::Task const& task) {
  return (task.key.empty() ? "#" + std::to_string(task.id) : task.key) + " " + task.title;
}

std::vector<core::Event> last_day(OperationContext& ctx, core::Board const& board) {
  store::EventFilter filter;
  filter.boards = {board.name};
  filter.limit = kMostHealthEvents;
  filter.newest = true;
  auto events = ctx.tx.events(filter);
  std::erase_if(events, [&](auto const& event) {
    return event.board != board.name || event.ts < ctx.now - kLookedBack;
  });
  return events;
}

std::string columns_line(OperationContext& ctx, core::Board const& board) {
  auto const load = ctx.tx.load(board.id);
  std::string out;
  for (auto const& column : board.columns) {
    if (core::is_terminal(column.stage)) continue;
    auto const found = load.columns.find(column.name);
    out += (out.empty() ? "" : ", ") + column.name + " " +
           std::to_string(found == load.columns.end() ? 0 : found->second);
    if (column.wip_limit > 0) out += "/" + std::to_string(column.wip_limit);
  }
  return "- Now: " + out + "\n";
}

std::string counts_line(std::vector<core::Event> const& events) {
  std::string out;
  for (auto const& row : kCounts) {
    auto const count = std::ranges::count_if(
        events, [&](auto const& event) { return event.kind == row.kinds[0] || event.kind == row.kinds[1]; });
    out += (out.empty() ? "" : ", ") + std::to_string(count) + " " + std::string{row.word};
  }
  return "- Last 24 hours: " + out + "\n";
}

/// The newest failures first.
std::string failure_lines(OperationContext& ctx, std::vector<core::Event> const& events) {
  std::string out;
  std::size_t shown = 0;
  for (auto event = events.rbegin(); event != events.rend() && shown < kShown; ++event) {
    bool const failed = event->kind == EventKind::task_failed || event->kind == EventKind::task_retried;
    auto const task = failed && event->task ? ctx.tx.task(*event->task) : std::nullopt;
    auto const reason = task ? fact_of(*event, "reason") : std::string{};
    if (reason.empty()) continue;
    out += "  - " + line_of(name_of(*task) + ": " + reason) + "\n";
    ++shown;
  }
  return out.empty() ? out : "- Failures:\n" + out;
}

std::string aging_lines(OperationContext& ctx, core::Board const& board) {
  store::TaskFilter filter;
  filter.board = board.id;
  filter.stages = {Stage::claimed, Stage::active, Stage::review, Stage::blocked};
  filter.now = ctx.now;
  auto const page = ctx.tx.list(filter, {kMostInWork, {}, store::TaskOrder::updated, false});
  if (!page || page->tasks.empty()) return {};
  auto tasks = page->tasks;
  std::ranges::sort(tasks, {}, [](auto const& task) { return task.state.entered; });
  std::string out = "- Longest where they are:\n";
  for (auto const& task : tasks | std::views::take(kShown)) {
    auto const age = std::chrono::floor<std::chrono::minutes>(ctx.now - task.state.entered);
    auto const holder = task.claimed_by.empty() ? std::string{} : " (" + task.claimed_by + ")";
    out += "  - " +
           line_of(name_of(task) + ": " + task.status + " for " + core::to_text(core::Duration{age}) +
                   holder + (task.blocked ? ", blocked: " + task.block_reason : "")) +
           "\n";
  }
  return out;
}

}  // namespace

std::string board_health(OperationContext& ctx, core::Board const& board) {
  auto const events = last_day(ctx, board);
  return columns_line(ctx, board) + counts_line(events) + failure_lines(ctx, events) +
         aging_lines(ctx, board);
}

}  // namespace andon::service
