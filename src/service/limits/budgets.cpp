#include "service/limits/budgets.hpp"

#include <algorithm>
#include <array>

#include "reflect/described.hpp"
#include "reflect/json.hpp"
#include "service/event_log.hpp"
#include "service/limits/task_spending.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Allowance;
using core::Budget;
using core::Code;
using core::Result;
using core::Spending;

/// A board or a worker with limits, and the counter of its spending.
struct BudgetScope {
  std::string name;     ///< `board "shop"`
  std::string counter;  ///< name of the setting that holds its day
  Budget budget;
  std::string worker;  ///< only runs of this worker count; all when empty
};

BudgetScope budget_scope_of(core::Board const& board) {
  return {"board \"" + board.name + "\"",
          "spent.board." + std::to_string(board.id),
          board.budget.value_or(Budget{}),
          {}};
}
BudgetScope budget_scope_of(core::Worker const& worker) {
  return {"worker \"" + worker.name + "\"", "spent.worker." + worker.name, worker.budget.value_or(Budget{}),
          worker.name};
}

std::vector<BudgetScope> budget_scopes_of(OperationContext& ctx, core::Run const& run) {
  std::vector<BudgetScope> out;
  if (auto const* board = ctx.tx.board(run.board)) out.push_back(budget_scope_of(*board));
  if (auto const* worker = ctx.tx.worker(run.worker)) out.push_back(budget_scope_of(*worker));
  return out;
}

/// The counter of one day: a row for each board and worker, so that no look at it costs more.
struct Day {
  core::Date day;
  Spending spent;
};
void describe(auto& field, Day const*) {
  field(&Day::day, "day");
  field(&Day::spent, "spent");
}

Day today(OperationContext& ctx, BudgetScope const& budget_scope) {
  Day const fresh{core::day_of(ctx.zones, budget_scope.budget.tz, ctx.now), {}};
  auto const text = ctx.tx.setting(budget_scope.counter);
  auto const kept = text ? reflect::read_json<Day>(*text, reflect::Unknown::ignore) : fresh;
  return kept && kept->day == fresh.day ? *kept : fresh;
}

/// The spending under each limit.
struct Spent {
  Spending run;
  Spending task;
  Spending day;
};

Spent spent_under(OperationContext& ctx, BudgetScope const& budget_scope, core::Run const& run) {
  Spent out;
  out.run = core::spent_by(run);
  out.task = out.run;
  for (auto const& other : core::counted_runs(ctx.tx.runs_of(run.task)))
    if (other.id != run.id && (budget_scope.worker.empty() || other.worker == budget_scope.worker))
      out.task = out.task + core::spent_by(other);
  out.day = today(ctx, budget_scope).spent;
  return out;
}

struct Scope {
  std::string_view name;
  Allowance Budget::* limit;
  Spending Spent::* spent;
  bool ends_with_the_run;  ///< waiting does not help
};
constexpr std::array kScopes{Scope{"run", &Budget::run, &Spent::run, true},
                             Scope{"task", &Budget::task, &Spent::task, true},
                             Scope{"day", &Budget::day, &Spent::day, false}};

std::string sentence(BudgetScope const& budget_scope, std::string_view scope, std::string const& reached) {
  return "reached the budget that " + budget_scope.name + " sets for a " + std::string{scope} + ": " +
         reached;
}

/// The first budget that the run has reached, in words; nothing while all hold.
std::optional<std::string> reached_by(OperationContext& ctx, core::Run const& run, bool also_days) {
  for (auto const& budget_scope : budget_scopes_of(ctx, run)) {
    if (budget_scope.budget == Budget{}) continue;
    auto const spent = spent_under(ctx, budget_scope, run);
    for (auto const& scope : kScopes)
      if (also_days || scope.ends_with_the_run)
        if (auto const reached = core::reached(budget_scope.budget.*scope.limit, spent.*scope.spent))
          return sentence(budget_scope, scope.name, *reached);
  }
  return std::nullopt;
}

Result<void> check_day(OperationContext& ctx, BudgetScope const& budget_scope) {
  if (budget_scope.budget.day == Allowance{}) return {};
  auto const reached = core::reached(budget_scope.budget.day, today(ctx, budget_scope).spent);
  if (!reached) return {};
  return core::refuse(Code::kNothingToPick, budget_scope.name + " has spent its budget of the day: " +
                                                *reached + "; it goes on tomorrow");
}

std::unexpected<core::Error> invalid(std::string message) {
  return core::refuse(Code::kInvalidInput, std::move(message), "budget");
}

std::optional<DayBudget> day_budget(OperationContext& ctx, BudgetScope const& budget_scope) {
  auto const now = today(ctx, budget_scope);
  if (budget_scope.budget.day == Allowance{} && now.spent == Spending{}) return std::nullopt;
  DayBudget out;
  out.day = now.day;
  out.limit = budget_scope.budget.day;
  out.spent = now.spent;
  out.reached = core::reached(out.limit, out.spent).value_or("");
  return out;
}

void tell_reached(OperationContext& ctx, core::Run const& run, std::string const& reason) {
  core::Event event;
  event.kind = core::EventKind::limit_reached;
  event.board = run.board;
  event.task = run.task;
  event.run = run.id;
  append_event(ctx, std::move(event), {{"worker", run.worker}, {"reason", reason}});
}

}  // namespace

std::vector<DayBudget> days_of(OperationContext& ctx) {
  std::vector<DayBudget> out;
  for (auto const* board : ctx.tx.boards())
    if (auto day = board->archived ? std::nullopt : day_budget(ctx, budget_scope_of(*board))) {
      day->board = board->name;
      out.push_back(*std::move(day));
    }
  for (auto const& worker : ctx.tx.workers())
    if (auto day = day_budget(ctx, budget_scope_of(worker))) {
      day->worker = worker.name;
      out.push_back(*std::move(day));
    }
  return out;
}

Result<void> check_budget(OperationContext const& ctx, std::optional<Budget> const& given) {
  if (!given) return {};
  for (auto const& limit : {given->run, given->task, given->day})
    if (limit.tokens < 0 || limit.usd < 0 || limit.time < core::Duration{})
      return invalid("a limit of \"budget\" cannot be less than 0");
  if (!given->tz.empty() && (!ctx.zones || !ctx.zones->knows(given->tz)))
    return invalid("\"" + given->tz + "\" is no time zone; it is named like Europe/Berlin or UTC");
  return {};
}

void set_budget(std::optional<Budget> const& given, std::optional<Budget>& budget) {
  if (!given) return;
  budget = given;
  bool const limits_nothing =
      given->run == Allowance{} && given->task == Allowance{} && given->day == Allowance{};
  if (limits_nothing) budget.reset();
}

Result<void> check_day(OperationContext& ctx, core::Board const& board) {
  return check_day(ctx, budget_scope_of(board));
}
Result<void> check_day(OperationContext& ctx, core::Worker const& worker) {
  return check_day(ctx, budget_scope_of(worker));
}

Allowance allowance_of(OperationContext& ctx, core::Run const& run) {
  Allowance out;
  for (auto const& budget_scope : budget_scopes_of(ctx, run)) {
    if (budget_scope.budget == Budget{}) continue;
    auto const spent = spent_under(ctx, budget_scope, run);
    for (auto const& scope : kScopes)
      out = core::tighter(out, core::left_of(budget_scope.budget.*scope.limit, spent.*scope.spent));
  }
  return out;
}

void count_spending(OperationContext& ctx, core::Run const& before, core::Run const& after) {
  count_for_task(ctx, before, after);
  auto const since = core::spent_by(after) - core::spent_by(before);
  if (since == Spending{}) return;
  for (auto const& budget_scope : budget_scopes_of(ctx, after)) {
    auto day = today(ctx, budget_scope);
    day.spent = day.spent + since;
    ctx.tx.set_setting(budget_scope.counter, reflect::to_json(day));
  }
}

void stop_over_budget(OperationContext& ctx, core::Run const& run) {
  if (run.stop || run.said) return;
  auto const reason = reached_by(ctx, run, true);
  if (!reason) return;
  auto stopping = run;
  stopping.stop = core::StopOrder{core::Verb::exhaust, {}, *reason, "system", ctx.now, {}};
  stopping.state = core::RunState::stopping;
  ctx.tx.put(stopping);
  tell_reached(ctx, run, *reason);
  if (auto task = ctx.tx.task(run.task)) {
    task->state.stopping = true;
    touch(ctx, *std::move(task));
  }
}

void end_over_budget(OperationContext& ctx, core::Run& run) {
  if (run.stop || !core::is_tried_again(*run.outcome)) return;
  auto const reason = reached_by(ctx, run, false);
  if (!reason) return;
  run.outcome = core::Outcome::over_budget;
  run.reason = *reason + (run.reason.empty() ? "" : "; " + run.reason);
  tell_reached(ctx, run, *reason);
}

}  // namespace andon::service
