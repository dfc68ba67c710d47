#include "service/automations/automations.hpp"

#include <algorithm>

#include "core/text/names.hpp"
#include "core/time/schedule.hpp"
#include "service/automations/firing.hpp"
#include "service/event_log.hpp"
#include "service/given_field.hpp"
#include "service/tasks/kernel/task_template.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Automation;
using core::AutomationKind;
using core::Code;
using core::Result;

constexpr core::Duration kShortest = std::chrono::seconds{1};
constexpr core::Duration kLongest = std::chrono::days{366};
constexpr std::size_t kMostOfABoard = 100;

Result<void> check_name(OperationContext& ctx, Automation const& automation) {
  auto const& name = automation.name;
  if (!core::is_name(name) || name.find_first_not_of("0123456789") == std::string::npos)
    return invalid("\"name\" must be 1 to 64 letters, digits, - _ or . and not only digits", "name");
  for (auto const& other : ctx.tx.automations())
    if (other.id != automation.id && core::same_name(other.name, name))
      return core::refuse(Code::kAutomationAlreadyExists,
                          "there is already an automation \"" + other.name + "\"", "name");
  return {};
}

Result<void> check_count(OperationContext& ctx, std::string const& board) {
  auto const all = ctx.tx.automations();
  if (std::ranges::count(all, board, &Automation::board) < static_cast<std::ptrdiff_t>(kMostOfABoard))
    return {};
  return invalid("a board may have at most 100 automations", "board");
}

Result<void> check_when(OperationContext& ctx, Automation const& automation) {
  if (!ctx.zones->knows(automation.tz))
    return invalid("\"" + automation.tz + "\" is no time zone; it is named like Europe/Berlin or UTC", "tz");
  if (automation.kind == AutomationKind::cron) {
    if (automation.after != core::Duration::zero())
      return invalid("\"after\" belongs to the kind queue_dry", "after");
    ANDON_CHECK(core::parse_cron(automation.cron));
    return {};
  }
  if (!automation.cron.empty()) return invalid("\"cron\" belongs to the kind cron", "cron");
  if (automation.after < kShortest || automation.after > kLongest)
    return invalid("\"after\" must be from 1s to 366d", "after");
  return {};
}

/// Plans the next time, counted from now. Times that passed while the automation was off or had another
/// schedule are not made up for.
void plan(OperationContext& ctx, Automation& automation) {
  automation.next_due.reset();
  if (automation.kind != AutomationKind::cron || !automation.enabled) return;
  if (auto const cron = core::parse_cron(automation.cron))
    automation.next_due = core::next_time(*cron, *ctx.zones, automation.tz, ctx.now);
}

bool same_plan(Automation const& a, Automation const& b) {
  return a.kind == b.kind && a.cron == b.cron && a.tz == b.tz && a.enabled == b.enabled;
}

Result<void> check(OperationContext& ctx, Automation const& automation) {
  ANDON_CHECK(check_name(ctx, automation));
  ANDON_CHECK(check_when(ctx, automation));
  ANDON_TRY(auto const* board, find_board(ctx, automation.board));
  return check_template(*board, automation.template_, "template");
}

void tell_change(OperationContext& ctx, Automation const& automation, std::string what) {
  core::Event event;
  event.kind = core::EventKind::board_changed;
  event.board = automation.board;
  append_event(ctx, std::move(event), {{"what", std::move(what)}, {"automation", automation.name}});
}

Result<AutomationKind> kind_of(AddAutomationRequest const& r) {
  if (r.kind) return *r.kind;
  if (!r.cron.empty()) return AutomationKind::cron;
  if (r.after) return AutomationKind::queue_dry;
  return invalid("say when it fires: \"cron\" for a schedule, or \"after\" for a dry queue", "kind");
}

/// A change of kind leaves behind what belongs to the other kind.
void take_when(EditAutomationRequest const& r, Automation& automation) {
  take(r.kind, automation.kind);
  if (automation.kind == AutomationKind::cron) automation.after = {};
  if (automation.kind == AutomationKind::queue_dry) automation.cron.clear();
  take(r.cron, automation.cron);
  take(r.tz, automation.tz);
  take(r.after, automation.after);
}

}  // namespace

Result<Automation> find_automation(OperationContext& ctx, AutomationRef const& ref) {
  for (auto& automation : ctx.tx.automations())
    if (std::to_string(automation.id) == ref.text || core::same_name(automation.name, ref.text))
      return std::move(automation);
  return core::refuse(
      core::Error{Code::kAutomationNotFound, "there is no automation \"" + ref.text + "\"", "id", {}, {}}
          .with("id", ref.text));
}

Result<Automations> list_automations(OperationContext& ctx, ListAutomationsRequest const& r) {
  std::string board;
  if (!r.board.empty()) {
    ANDON_TRY(auto const* found, find_board(ctx, r.board));
    board = found->name;
  }
  Automations out;
  for (auto& automation : ctx.tx.automations())
    if (board.empty() || automation.board == board)
      out.items.push_back(with_state(ctx, std::move(automation)));
  return out;
}

Result<Automation> get_automation(OperationContext& ctx, AutomationRequest const& r) {
  ANDON_TRY(auto automation, find_automation(ctx, r.id));
  return with_state(ctx, std::move(automation));
}

Result<Automation> add_automation(OperationContext& ctx, AddAutomationRequest const& r) {
  ANDON_TRY(auto const* board, find_board(ctx, r.board));
  Automation automation;
  automation.name = r.name;
  automation.board = board->name;
  ANDON_TRY(automation.kind, kind_of(r));
  automation.cron = r.cron;
  take(r.tz, automation.tz);
  take(r.after, automation.after);
  automation.template_ = r.template_;
  take(r.enabled, automation.enabled);
  automation.created = ctx.now;
  automation.created_by = core::to_text(ctx.caller.actor);
  ANDON_CHECK(check(ctx, automation));
  ANDON_CHECK(check_count(ctx, board->name));
  plan(ctx, automation);
  automation.id = ctx.tx.add(automation);
  tell_change(ctx, automation, "automation added");
  return with_state(ctx, std::move(automation));
}

Result<Automation> edit_automation(OperationContext& ctx, EditAutomationRequest const& r) {
  ANDON_TRY(auto const before, find_automation(ctx, r.id));
  if (ctx.expected_rev && *ctx.expected_rev != before.rev)
    return core::refuse(Code::kRevMismatch,
                        "automation \"" + before.name + "\" has changed since; read it again", "If-Match");
  auto automation = before;
  take(r.name, automation.name);
  take_when(r, automation);
  take(r.template_, automation.template_);
  take(r.enabled, automation.enabled);
  if (automation == before)
    return core::refuse(Code::kNoChanges, "no changes: give at least one field a new value");
  ANDON_CHECK(check(ctx, automation));
  if (!same_plan(automation, before)) plan(ctx, automation);
  automation.rev = core::next(automation.rev);
  ctx.tx.put(automation);
  tell_change(ctx, automation, "automation edited");
  return with_state(ctx, std::move(automation));
}

Result<RemovedAutomation> remove_automation(OperationContext& ctx, AutomationRequest const& r) {
  ANDON_TRY(auto const automation, find_automation(ctx, r.id));
  ctx.tx.remove_automation(automation.id);
  tell_change(ctx, automation, "automation removed");
  return RemovedAutomation{automation.id, automation.name, "removed"};
}

}  // namespace andon::service
