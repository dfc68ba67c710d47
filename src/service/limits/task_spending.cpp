#include "service/limits/task_spending.hpp"

#include <algorithm>

#include "reflect/described.hpp"
#include "reflect/json.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Spending;

/// The counter of a task: a row of its own, so that neither a card nor a report reads all runs.
struct TaskCounter {
  Spending all;
  Spending of_budget;  ///< since a run last ended over budget
  std::int64_t peak_memory = 0;
  std::optional<core::Duration> cpu_time{};
};
void describe(auto& field, TaskCounter const*) {
  field(&TaskCounter::all, "all");
  field(&TaskCounter::of_budget, "of_budget");
  field(&TaskCounter::peak_memory, "peak_memory", "", core::set_only);
  field(&TaskCounter::cpu_time, "cpu_time");
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

void add_use(TaskCounter& counter, core::Run const& run) {
  counter.peak_memory = std::max(counter.peak_memory, run.peak_memory);
  if (run.cpu_time) counter.cpu_time = counter.cpu_time.value_or(core::Duration{}) + *run.cpu_time;
}

TaskCounter counted_from_runs(OperationContext& ctx, core::TaskId task) {
  auto const runs = ctx.tx.runs_of(task);
  TaskCounter out{sum_of(runs), sum_of(core::counted_runs(runs))};
  for (auto const& run : runs) add_use(out, run);
  return out;
}

}  // namespace

std::optional<TaskSpending> spending_of(OperationContext& ctx, core::Task const& task) {
  if (!task.run && task.attempt == 0) return std::nullopt;
  auto const kept = kept_counter(ctx, task.id);
  auto const counter = kept ? *kept : counted_from_runs(ctx, task.id);
  auto const& all = counter.all;
  if (all.runs == 0 && all.tokens == 0) return std::nullopt;
  TaskSpending out{all.tokens, core::known_cost(all), all.time,        all.runs, all.unpriced_runs,
                   {},         counter.peak_memory,   counter.cpu_time};
  if (counter.of_budget != all)
    out.of_budget = core::Allowance{counter.of_budget.tokens, counter.of_budget.usd, counter.of_budget.time};
  return out;
}

void count_for_task(OperationContext& ctx, core::Run const& before, core::Run const& after) {
  auto const since = core::spent_by(after) - core::spent_by(before);
  bool const ends_budget =
      after.outcome == core::Outcome::over_budget && before.outcome != core::Outcome::over_budget;
  bool const has_ended = after.state == core::RunState::ended && before.state != core::RunState::ended;
  if (since == Spending{} && !ends_budget && !has_ended) return;
  auto counter = kept_counter(ctx, after.task);
  if (counter) {
    counter->all = counter->all + since;
    counter->of_budget = ends_budget ? Spending{} : counter->of_budget + since;
    if (has_ended) add_use(*counter, after);
  } else {
    counter = counted_from_runs(ctx, after.task);
  }
  ctx.tx.set_setting(counter_name(after.task), reflect::to_json(*counter));
}

}  // namespace andon::service
