#include "service/limits/budgets.hpp"

#include <algorithm>
#include <array>

#include "reflect/json.hpp"
#include "service/event_log.hpp"

namespace andon::service {
namespace {

using core::Allowance;
using core::Budget;
using core::Code;
using core::Result;
using core::Spending;

/// Whoever sets limits, and the counter of what was spent under them.
struct Purse {
  std::string name;     ///< `board "shop"`
  std::string counter;  ///< name of the setting that holds its day
  Budget budget;
  std::string worker;  ///< only runs of this worker count; all when empty
};

Purse purse_of(core::Board const& board) {
  return {"board \"" + board.name + "\"",
          "spent.board." + std::to_string(board.id),
          board.budget.value_or(Budget{}),
          {}};
}
Purse purse_of(core::Worker const& worker) {
  return {"worker \"" + worker.name + "\"", "spent.worker." + worker.name, worker.budget.value_or(Budget{}),
          worker.name};
}

std::vector<Purse> purses_of(Unit& u, core::Run const& run) {
  std::vector<Purse> out;
  if (auto const* board = u.tx.board(run.board)) out.push_back(purse_of(*board));
  if (auto const* worker = u.tx.worker(run.worker)) out.push_back(purse_of(*worker));
  return out;
}

/// The counter of one day: a row for each board and worker, so that no look at it costs more.
struct Day {
  core::Date day;
  Spending spent;
};
BOOST_DESCRIBE_STRUCT(Day, (), (day, spent))

Day today(Unit& u, Purse const& purse) {
  Day const fresh{core::day_of(u.zones, purse.budget.tz, u.now), {}};
  auto const text = u.tx.setting(purse.counter);
  auto const kept = text ? reflect::read_json<Day>(*text, reflect::Unknown::ignore) : fresh;
  return kept && kept->day == fresh.day ? *kept : fresh;
}

/// What was spent under each limit.
struct Spent {
  Spending run;
  Spending task;
  Spending day;
};

Spent spent_under(Unit& u, Purse const& purse, core::Run const& run) {
  Spent out;
  out.run = core::spent_by(run);
  out.task = out.run;
  for (auto const& other : core::counted_runs(u.tx.runs_of(run.task)))
    if (other.id != run.id && (purse.worker.empty() || other.worker == purse.worker))
      out.task = out.task + core::spent_by(other);
  out.day = today(u, purse).spent;
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

std::string sentence(Purse const& purse, std::string_view scope, std::string const& reached) {
  return "reached the budget that " + purse.name + " sets for a " + std::string{scope} + ": " + reached;
}

/// The first budget that the run has reached, in words; nothing while all hold.
std::optional<std::string> reached_by(Unit& u, core::Run const& run, bool also_days) {
  for (auto const& purse : purses_of(u, run)) {
    if (purse.budget == Budget{}) continue;
    auto const spent = spent_under(u, purse, run);
    for (auto const& scope : kScopes)
      if (also_days || scope.ends_with_the_run)
        if (auto const reached = core::reached(purse.budget.*scope.limit, spent.*scope.spent))
          return sentence(purse, scope.name, *reached);
  }
  return std::nullopt;
}

Result<void> check_day(Unit& u, Purse const& purse) {
  if (purse.budget.day == Allowance{}) return {};
  auto const reached = core::reached(purse.budget.day, today(u, purse).spent);
  if (!reached) return {};
  return core::refuse(Code::kNothingToPick,
                      purse.name + " has spent its budget of the day: " + *reached + "; it goes on tomorrow");
}

std::unexpected<core::Error> invalid(std::string message) {
  return core::refuse(Code::kInvalidInput, std::move(message), "budget");
}

std::optional<DayBudget> day_budget(Unit& u, Purse const& purse) {
  if (purse.budget.day == Allowance{}) return std::nullopt;
  auto const now = today(u, purse);
  DayBudget out;
  out.day = now.day;
  out.limit = purse.budget.day;
  out.spent = now.spent;
  out.reached = core::reached(out.limit, out.spent).value_or("");
  return out;
}

void tell_reached(Unit& u, core::Run const& run, std::string const& reason) {
  core::Event event;
  event.kind = core::EventKind::limit_reached;
  event.board = run.board;
  event.task = run.task;
  event.run = run.id;
  tell(u, std::move(event), {{"worker", run.worker}, {"reason", reason}});
}

}  // namespace

std::vector<DayBudget> days_of(Unit& u) {
  std::vector<DayBudget> out;
  for (auto const* board : u.tx.boards())
    if (auto day = board->archived ? std::nullopt : day_budget(u, purse_of(*board))) {
      day->board = board->name;
      out.push_back(*std::move(day));
    }
  for (auto const& worker : u.tx.workers())
    if (auto day = day_budget(u, purse_of(worker))) {
      day->worker = worker.name;
      out.push_back(*std::move(day));
    }
  return out;
}

Result<void> check_budget(Unit const& u, std::optional<Budget> const& given) {
  if (!given) return {};
  for (auto const& limit : {given->run, given->task, given->day})
    if (limit.tokens < 0 || limit.usd < 0 || limit.time < core::Duration{})
      return invalid("a limit of \"budget\" cannot be less than 0");
  if (!given->tz.empty() && (!u.zones || !u.zones->knows(given->tz)))
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

Result<void> check_day(Unit& u, core::Board const& board) { return check_day(u, purse_of(board)); }
Result<void> check_day(Unit& u, core::Worker const& worker) { return check_day(u, purse_of(worker)); }

Allowance allowance_of(Unit& u, core::Run const& run) {
  Allowance out;
  for (auto const& purse : purses_of(u, run)) {
    if (purse.budget == Budget{}) continue;
    auto const spent = spent_under(u, purse, run);
    for (auto const& scope : kScopes)
      out = core::tighter(out, core::left_of(purse.budget.*scope.limit, spent.*scope.spent));
  }
  return out;
}

void count_spending(Unit& u, core::Run const& before, core::Run const& after) {
  auto const since = core::spent_by(after) - core::spent_by(before);
  if (since == Spending{}) return;
  for (auto const& purse : purses_of(u, after)) {
    auto day = today(u, purse);
    day.spent = day.spent + since;
    u.tx.set_setting(purse.counter, reflect::to_json(day));
  }
}

void stop_over_budget(Unit& u, core::Run const& run) {
  if (run.stop || !run.said.empty()) return;
  auto const reason = reached_by(u, run, true);
  if (!reason) return;
  auto stopping = run;
  stopping.stop = core::StopOrder{std::string{kBudgetVerb}, {}, *reason, "system", u.now, {}};
  stopping.state = core::RunState::stopping;
  u.tx.put(stopping);
  tell_reached(u, run, *reason);
  if (auto task = u.tx.task(run.task)) {
    task->state.stopping = true;
    show_anew(u, *std::move(task));
  }
}

void end_over_budget(Unit& u, core::Run& run) {
  if (run.stop || !core::is_tried_again(*run.outcome)) return;
  auto const reason = reached_by(u, run, false);
  if (!reason) return;
  run.outcome = core::Outcome::over_budget;
  run.reason = *reason + (run.reason.empty() ? "" : "; " + run.reason);
  tell_reached(u, run, *reason);
}

}  // namespace andon::service
