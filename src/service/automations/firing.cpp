#include "service/automations/firing.hpp"

#include <algorithm>

#include "core/text/fill_in.hpp"
#include "core/time/schedule.hpp"
#include "service/boards/board_health.hpp"
#include "service/event_log.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/task_template.hpp"

namespace andon::service {
namespace {

using core::Automation;
using core::AutomationKind;
using core::Instant;
using core::Result;

std::optional<core::Task> open_task(Unit& u, Automation const& automation) {
  auto task = automation.last_task ? u.tx.task(*automation.last_task) : std::nullopt;
  if (task && core::is_terminal(task->stage)) task.reset();
  return task;
}

/// One task of these columns that is blocked, the one changed last, or one that is not.
std::optional<core::Task> one_in(Unit& u, core::Board const& board, std::vector<std::string> const& columns,
                                 bool blocked) {
  store::TaskFilter filter;
  filter.board = board.id;
  filter.statuses = columns;
  filter.blocked = blocked;
  filter.now = u.now;
  auto const page =
      u.tx.list(filter, {1, {}, blocked ? store::TaskOrder::updated : store::TaskOrder::id, blocked});
  return page && !page->tasks.empty() ? std::optional{page->tasks.front()} : std::nullopt;
}

/// Since when nothing is ready, claimed or active on the board; nothing while something is. Where a board has
/// no column for blocked work it stays where it was, and nobody works on it all the same.
std::optional<Instant> dry_since(Unit& u, core::Board const& board) {
  auto const load = u.tx.load(board.id);
  std::vector<std::string> columns;
  std::vector<std::string> occupied;
  for (auto const& column : board.columns) {
    if (!core::uses_capacity(column.stage)) continue;
    columns.push_back(column.name);
    auto const found = load.columns.find(column.name);
    if (found != load.columns.end() && found->second > 0) occupied.push_back(column.name);
  }
  auto const touched = u.tx.last_touched(board, columns).value_or(board.created);
  if (occupied.empty()) return touched;
  if (one_in(u, board, occupied, false)) return std::nullopt;
  auto const blocked = one_in(u, board, occupied, true);
  return blocked ? std::max(touched, blocked->updated) : touched;
}

/// When the automation fires next as things are now; in the past when it is due.
std::optional<Instant> due_at(Unit& u, Automation const& automation) {
  auto const* board = u.tx.board(automation.board);
  if (!automation.enabled || !board || board->archived) return std::nullopt;
  if (automation.kind == AutomationKind::cron) return automation.next_due;
  if (open_task(u, automation)) return std::nullopt;
  auto const since = dry_since(u, *board);
  if (!since) return std::nullopt;
  return std::max(*since, automation.last_fired.value_or(*since)) + automation.after;
}

void plan_next(Unit& u, Automation& automation) {
  if (automation.kind != AutomationKind::cron || !automation.enabled) return;
  auto const cron = core::parse_cron(automation.cron);
  automation.next_due = cron ? core::next_time(*cron, *u.zones, automation.tz, u.now) : std::nullopt;
}

/// The NAME of `source.NAME`; empty for another word.
std::string source_in(std::string_view word) {
  constexpr std::string_view kSource = "source.";
  return std::string{word.starts_with(kSource) ? word.substr(kSource.size()) : std::string_view{}};
}

core::ValueOf values_of(Unit& u, core::Board const& board, FireRequest const& r) {
  return [&](std::string_view word) -> std::optional<std::string> {
    if (word == "metrics") return board_health(u, board);
    auto const source = source_in(word);
    if (source.empty()) return std::nullopt;
    auto const found = r.sources.find(source);
    if (found != r.sources.end()) return found->second;
    return "(the board has no source \"" + source + "\" that could be asked)";
  };
}

/// The same unit of work under the automation's own name.
Caller as_automation(Automation const& automation) {
  return {{core::ActorKind::automation, automation.name}, Role::admin, "automation", {}};
}

core::Task make_task(Unit& u, Automation const& automation, core::Board const& board, FireRequest const& r) {
  auto task = task_from(automation.template_, board, values_of(u, board, r));
  task.source = "automation";
  task.approved = true;
  auto const caller = as_automation(automation);
  Unit own{u.tx, u.now, caller, u.chance, u.mutation, {}, u.origin, u.zones};
  return add_ready(own, board, std::move(task), automation.template_.status);
}

Result<core::Task> fire(Unit& u, Automation automation, FireRequest const& r, std::string_view why) {
  ANDON_TRY(auto const* board, find_board(u, automation.board));
  auto task = make_task(u, automation, *board, r);
  ++automation.fired;
  automation.last_fired = u.now;
  automation.last_task = task.id;
  plan_next(u, automation);
  u.tx.put(automation);
  core::Event event;
  event.kind = core::EventKind::automation_fired;
  event.board = task.board;
  event.task = task.id;
  tell(u, std::move(event),
       {{"automation", automation.name}, {"why", std::string{why}}, {"title", task.title}});
  return task;
}

std::string_view why_of(Automation const& automation) {
  return core::kAutomationKindNames[static_cast<std::size_t>(automation.kind)];
}

}  // namespace

Automation with_state(Unit& u, Automation automation) {
  auto const open = open_task(u, automation);
  automation.task = open ? std::optional{open->id} : std::nullopt;
  automation.next_due = due_at(u, automation);
  return automation;
}

Result<DueAutomations> due_automations(Unit& u, NoRequest const&) {
  DueAutomations out;
  for (auto const& automation : u.tx.automations()) {
    auto const at = due_at(u, automation);
    if (!at) continue;
    if (*at <= u.now)
      out.items.push_back({automation.id, automation.name});
    else
      out.next = std::min(*at, out.next.value_or(*at));
  }
  return out;
}

Result<SourceQuestion> wanted_sources(Unit& u, FireRequest const& r) {
  ANDON_TRY(auto const automation, find_automation(u, r.id));
  ANDON_TRY(auto const* board, find_board(u, automation.board));
  SourceQuestion out{board->name, board->repo, {}};
  if (board->archived || open_task(u, automation)) return out;
  task_from(automation.template_, *board, [&](std::string_view word) -> std::optional<std::string> {
    if (auto const found = board->sources.find(source_in(word)); found != board->sources.end())
      out.commands.insert(*found);
    return std::nullopt;
  });
  return out;
}

Result<Fired> fire_automation(Unit& u, FireRequest const& r) {
  ANDON_TRY(auto automation, find_automation(u, r.id));
  auto const at = due_at(u, automation);
  if (!at || *at > u.now) return Fired{};
  if (open_task(u, automation)) {
    automation.last_skipped = u.now;
    plan_next(u, automation);
    u.tx.put(automation);
    return Fired{};
  }
  auto const caller = as_automation(automation);
  Unit own{u.tx, u.now, caller, u.chance, u.mutation, {}, u.origin, u.zones};
  ANDON_TRY(auto const task, fire(own, automation, r, why_of(automation)));
  return Fired{task.id};
}

Result<core::Task> run_automation(Unit& u, FireRequest const& r) {
  ANDON_TRY(auto const automation, find_automation(u, r.id));
  ANDON_TRY(auto const* board, find_board(u, automation.board));
  if (board->archived)
    return core::refuse(core::Code::kStatusConflict, "board \"" + board->name + "\" is archived", "board");
  if (auto const open = open_task(u, automation))
    return core::refuse(core::Error{core::Code::kStatusConflict,
                                    "task #" + std::to_string(open->id) + " of automation \"" +
                                        automation.name + "\" is still open; finish or delete it first",
                                    {},
                                    {},
                                    std::make_shared<core::Task const>(*open)}
                            .with("automation", automation.name)
                            .with("task", open->id));
  return fire(u, automation, r, "hand");
}

}  // namespace andon::service
