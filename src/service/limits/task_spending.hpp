#pragma once

#include <optional>

#include "core/runs/spending.hpp"
#include "service/operation_context.hpp"

namespace andon::core {
struct Task;
}

namespace andon::service {

/// The amount that all runs of a task spent together; a living run counts as far as it has reported.
struct TaskSpending {
  std::int64_t tokens = 0;
  std::optional<double> cost_usd;  ///< nothing where no run told a price
  core::Duration time{};
  std::int64_t runs = 0;
  std::int64_t unpriced = 0;
  std::optional<core::Allowance> of_budget;  ///< absent where it is everything
  std::int64_t peak_memory = 0;              ///< bytes, of the run that used most
  std::optional<core::Duration> cpu_time{};  ///< of runs that have ended
};
void describe(auto& field, TaskSpending const*) {
  field(&TaskSpending::tokens, "tokens", "Tokens, input and output", core::always);
  field(&TaskSpending::cost_usd, "cost_usd", "US dollars of the runs that told a price; null where none did",
        core::or_null);
  field(&TaskSpending::time, "time", "Running time of runs that have ended", core::always);
  field(&TaskSpending::runs, "runs", "Runs that used something or have ended", core::always);
  field(&TaskSpending::unpriced, "unpriced", "Of these, those without a price", core::always);
  field(&TaskSpending::of_budget, "of_budget",
        "What counts against the budget of the task, where a run has spent that budget before");
  field(&TaskSpending::peak_memory, "peak_memory",
        "Most memory of a run, all its processes together, in bytes", core::set_only);
  field(&TaskSpending::cpu_time, "cpu_time", "Processor time of runs that have ended");
}

/// Nothing when no run of the task spent anything. The cost does not depend on the number of runs, except for
/// a task whose runs are all older than the counter.
std::optional<TaskSpending> spending_of(OperationContext& ctx, core::Task const& task);

/// Counts the amount that the run has spent since `before` for its task. The run is stored already.
void count_for_task(OperationContext& ctx, core::Run const& before, core::Run const& after);

}  // namespace andon::service
