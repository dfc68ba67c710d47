#include "service/automations/firing.hpp"

#include <algorithm>

#include "core/text/render_template.hpp"
#include "core/time/schedule.hpp"
#include "service/boards/board_health.hpp"
#include "service/event_log.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/standing_task.hpp"
#include "service/tasks/kernel/task_template.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Automation;
using core::AutomationKind;
using core::Instant;
using core::Result;

std::optional<core::Task> open_task(OperationContext& ctx, Automation const& automation) {
  auto task = automation.last_task ? ctx.tx.task(*automation.last_task) : std::nullopt;
  if (task && core::is_terminal(task->stage)) task.reset();
  return task;
}

/// One task of these columns that is blocked, the one changed last, or one that is not.
std::optional<core::Task> one_in(OperationContext& ctx, core::Board const& board,
                                 std::vector<std::string> const& columns, bool blocked) {
  store::TaskFilter filter;
  filter.board = board.id;
  filter.statuses = columns;
  filter.blocked = blocked;
  filter.now = ctx.now;
  auto const page =
      ctx.tx.list(filter, {1, {}, blocked ? store::TaskOrder::updated : store::TaskOrder::id, blocked});
  return page && !page->tasks.empty() ? std::optional{page->tasks.front()} : std::nullopt;
}

/// The time since which no task of the board is ready, claimed or active; nothing while one is. On a board
/// without a column for blocked tasks, a blocked task does not count.
std::optional<Instant> dry_since(OperationContext& ctx, core::Board const& board) {
  auto const load = ctx.tx.load(board.id);
  std::vector<std::string> columns;
  std::vector<std::string> occupied;
  for (auto const& column : board.columns) {
    if (!core::uses_capacity(column.stage)) continue;
    columns.push_back(column.name);
    auto const found = load.columns.find(column.name);
    if (found != load.columns.end() && found->second > 0) occupied.push_back(column.name);
  }
  auto const touched = ctx.tx.last_touched(board, columns).value_or(board.created);
  if (occupied.empty()) return touched;
  if (one_in(ctx, board, occupied, false)) return std::nullopt;
  auto const blocked = one_in(ctx, board, occupied, true);
  return blocked ? std::max(touched, blocked->updated) : touched;
}

/// When the automation fires next as things are now; in the past when it is due.
std::optional<Instant> due_at(OperationContext& ctx, Automation const& automation) {
  auto const* board = ctx.tx.board(automation.board);
  if (!automation.enabled || !board || board->archived) return std::nullopt;
  if (automation.kind == AutomationKind::cron) return automation.next_due;
  if (open_task(ctx, automation)) return std::nullopt;
  auto const since = dry_since(ctx, *board);
  if (!since) return std::nullopt;
  return std::max(*since, automation.last_fired.value_or(*since)) + automation.after;
}

void plan_next(OperationContext& ctx, Automation& automation) {
  if (automation.kind != AutomationKind::cron || !automation.enabled) return;
  auto const cron = core::parse_cron(automation.cron);
  automation.next_due = cron ? core::next_time(*cron, *ctx.zones, automation.tz, ctx.now) : std::nullopt;
}

/// The NAME of `source.NAME`; empty for another word.
std::string source_in(std::string_view word) {
  constexpr std::string_view kSource = "source.";
  return std::string{word.starts_with(kSource) ? word.substr(kSource.size()) : std::string_view{}};
}

core::ValueOf values_of(OperationContext& ctx, core::Board const& board, FireRequest const& r) {
  return [&](std::string_view word) -> std::optional<std::string> {
    if (word == "metrics") return board_health(ctx, board);
    auto const source = source_in(word);
    if (source.empty()) return std::nullopt;
    auto const found = r.sources.find(source);
    if (found != r.sources.end()) return found->second;
    return "(the board has no source \"" + source + "\" that could be asked)";
  };
}

/// A caller with the automation's own name.
Caller as_automation(Automation const& automation) {
  return {{core::ActorKind::automation, automation.name}, Role::admin, core::Source::automation, {}};
}

core::Task new_task(OperationContext& ctx, Automation const& automation, core::Board const& board,
                    FireRequest const& r) {
  auto task = task_from(automation.template_, board, values_of(ctx, board, r));
  task.source = to_text(core::Source::automation);
  task.approved = true;
  return task;
}

std::string_view why_of(Automation const& automation) {
  return core::kAutomationKindNames[static_cast<std::size_t>(automation.kind)];
}

/// Stores the automation, with an event about the task that it made or left alone.
void note_fired(OperationContext& ctx, Automation automation, core::Task const& task, Facts facts) {
  automation.last_fired = ctx.now;
  plan_next(ctx, automation);
  ctx.tx.put(automation);
  core::Event event;
  event.kind = core::EventKind::automation_fired;
  event.board = task.board;
  event.task = task.id;
  facts.insert(facts.begin(), {{"automation", automation.name}, {"title", task.title}});
  append_event(ctx, std::move(event), facts);
}

core::Task fire(OperationContext& ctx, Automation automation, core::Board const& board, core::Task task,
                std::string_view why) {
  auto const caller = as_automation(automation);
  OperationContext own{ctx.tx, ctx.now, caller, ctx.jitter, ctx.mutation, {}, ctx.origin, ctx.zones};
  task = add_ready_task(own, board, std::move(task), automation.template_.status);
  ++automation.fired;
  automation.last_task = task.id;
  note_fired(ctx, std::move(automation), task, {{"why", std::string{why}}});
  return task;
}

Fired leave_to(OperationContext& ctx, Automation automation, core::Task const& standing) {
  automation.last_skipped = ctx.now;
  auto const why = std::string{why_of(automation)};
  note_fired(ctx, std::move(automation), standing, {{"why", why}, {"stands", std::to_string(standing.id)}});
  return Fired{.task = {}, .stands = standing.id};
}

/// The open task that asks for what the automation would ask for. Its own earlier tasks do not count.
std::optional<StandingTask> standing_for(OperationContext& ctx, Automation const& automation,
                                         core::Board const& board, core::Task const& task) {
  auto const maker = core::to_text(as_automation(automation).actor);
  return find_standing_task(ctx, {.board = board.id, .task = task, .but_made_by = maker, .only_open = true});
}

}  // namespace

Automation with_state(OperationContext& ctx, Automation automation) {
  auto const open = open_task(ctx, automation);
  automation.task = open ? std::optional{open->id} : std::nullopt;
  automation.next_due = due_at(ctx, automation);
  return automation;
}

Result<DueAutomations> due_automations(OperationContext& ctx, NoRequest const&) {
  DueAutomations out;
  for (auto const& automation : ctx.tx.automations()) {
    auto const at = due_at(ctx, automation);
    if (!at) continue;
    if (*at <= ctx.now)
      out.items.push_back({automation.id, automation.name});
    else
      out.next = std::min(*at, out.next.value_or(*at));
  }
  return out;
}

Result<SourceQuestion> wanted_sources(OperationContext& ctx, FireRequest const& r) {
  ANDON_TRY(auto const automation, find_automation(ctx, r.id));
  ANDON_TRY(auto const* board, find_board(ctx, automation.board));
  SourceQuestion out{board->name, board->repo, {}, board->branch};
  if (board->archived || open_task(ctx, automation)) return out;
  task_from(automation.template_, *board, [&](std::string_view word) -> std::optional<std::string> {
    if (auto const found = board->sources.find(source_in(word)); found != board->sources.end())
      out.commands.insert(*found);
    return std::nullopt;
  });
  return out;
}

Result<Fired> fire_automation(OperationContext& ctx, FireRequest const& r) {
  ANDON_TRY(auto automation, find_automation(ctx, r.id));
  auto const at = due_at(ctx, automation);
  if (!at || *at > ctx.now) return Fired{};
  if (open_task(ctx, automation)) {
    automation.last_skipped = ctx.now;
    plan_next(ctx, automation);
    ctx.tx.put(automation);
    return Fired{};
  }
  auto const caller = as_automation(automation);
  OperationContext own{ctx.tx, ctx.now, caller, ctx.jitter, ctx.mutation, {}, ctx.origin, ctx.zones};
  ANDON_TRY(auto const* board, find_board(own, automation.board));
  auto task = new_task(own, automation, *board, r);
  if (auto const standing = standing_for(own, automation, *board, task))
    return leave_to(own, std::move(automation), standing->task);
  return Fired{fire(own, automation, *board, std::move(task), why_of(automation)).id};
}

Result<core::Task> run_automation(OperationContext& ctx, FireRequest const& r) {
  ANDON_TRY(auto const automation, find_automation(ctx, r.id));
  ANDON_TRY(auto const* board, find_board(ctx, automation.board));
  if (board->archived)
    return core::refuse(core::Code::kStatusConflict, "board \"" + board->name + "\" is archived", "board");
  if (auto const open = open_task(ctx, automation))
    return core::refuse(core::Error{core::Code::kStatusConflict,
                                    "task #" + std::to_string(open->id) + " of automation \"" +
                                        automation.name + "\" is still open; finish or delete it first",
                                    {},
                                    {},
                                    std::make_shared<core::Task const>(*open)}
                            .with("automation", automation.name)
                            .with("task", open->id));
  return fire(ctx, automation, *board, new_task(ctx, automation, *board, r), "hand");
}

}  // namespace andon::service
