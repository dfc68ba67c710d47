#include "service/limits/task_spending.hpp"

#include <algorithm>

#include "reflect/json.hpp"

namespace andon::service {
namespace {

using core::Spending;

/// The counter of a task: a row of its own, so that neither a card nor a report reads all runs.
struct TaskCounter {
  Spending all;
  Spending of_budget;  ///< since a run last ended over budget
};
void describe(auto& field, TaskCounter const*) {
  field(&TaskCounter::all, "all");
  field(&TaskCounter::of_budget, "of_budget");
}

std::string counter_name(core::TaskId task) { return "spent.task." + std::to_string(task); }

std::optional<TaskCounter> kept_counter(OperationContext& ctx, core::TaskId task) {
  auto const text = ctx.tx.setting(counter_name(task));
  if (!text) return std::nullopt;
  auto kept = reflect::read_json<TaskCounter>(*text, reflect::Unknown::ignore);
  return kept ? std::optional{*kept} : std::nullopt;
}

Spending sum_of(std::vector<core::Run> const& runs) {
  Spending out;
  for (auto const& run : runs) out = out + core::spent_by(run);
  return out;
}

TaskCounter counted_from_runs(OperationContext& ctx, core::TaskId task) {
  auto const runs = ctx.tx.runs_of(task);
  return {sum_of(runs), sum_of(core::counted_runs(runs))};
}

}  // namespace

std::optional<TaskSpending> spending_of(OperationContext& ctx, core::Task const& task) {
  if (!task.run && task.attempt == 0) return std::nullopt;
  auto const kept = kept_counter(ctx, task.id);
  auto const counter = kept ? *kept : counted_from_runs(ctx, task.id);
  auto const& all = counter.all;
  if (all.runs == 0 && all.tokens == 0) return std::nullopt;
  TaskSpending out{all.tokens, core::known_cost(all), all.time, all.runs, all.unpriced_runs, {}};
  if (counter.of_budget != all)
    out.of_budget = core::Allowance{counter.of_budget.tokens, counter.of_budget.usd, counter.of_budget.time};
  return out;
}

void count_for_task(OperationContext& ctx, core::Run const& before, core::Run const& after) {
  auto const since = core::spent_by(after) - core::spent_by(before);
  bool const ends_budget =
      after.outcome == core::Outcome::over_budget && before.outcome != core::Outcome::over_budget;
  if (since == Spending{} && !ends_budget) return;
  auto counter = kept_counter(ctx, after.task);
  if (counter) {
    counter->all = counter->all + since;
    counter->of_budget = ends_budget ? Spending{} : counter->of_budget + since;
  } else {
    counter = counted_from_runs(ctx, after.task);
  }
  ctx.tx.set_setting(counter_name(after.task), reflect::to_json(*counter));
}

}  // namespace andon::service
