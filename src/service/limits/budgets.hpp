#pragma once

#include <vector>

#include "core/model/worker.hpp"
#include "core/runs/spending.hpp"
#include "service/requests.hpp"

namespace andon::service {

/// The amount that was spent on a day, and the day's budget where there is one.
struct DayBudget {
  std::string board;   ///< whose it is: a board's …
  std::string worker;  ///< … or a worker's
  core::Date day;
  core::Allowance limit;
  core::Spending spent;
  std::string reached;  ///< which limit is reached; nothing is started until the day is over
};
void describe(auto& field, DayBudget const*) {
  field(&DayBudget::board, "board", "Board that spent it");
  field(&DayBudget::worker, "worker", "Worker that spent it");
  field(&DayBudget::day, "day", "The day, by the clocks of the budget's time zone", core::always);
  field(&DayBudget::limit, "limit", "What may be spent; empty for no limit", core::always);
  field(&DayBudget::spent, "spent", "What was spent", core::always);
  field(&DayBudget::reached, "reached",
        "The limit that is reached: nothing is started until the day is over");
}

/// The days of all boards and workers that have a budget of the day or spent something today.
std::vector<DayBudget> days_of(OperationContext& ctx);

/// Refuses a budget with a limit below nothing or a time zone that does not exist.
core::Result<void> check_budget(OperationContext const& ctx, std::optional<core::Budget> const& given);
/// Takes over a given budget; one without any limit is none.
void set_budget(std::optional<core::Budget> const& given, std::optional<core::Budget>& budget);

/// Refuse with `NOTHING_TO_PICK` when the day's budget is spent.
core::Result<void> check_day(OperationContext& ctx, core::Board const& board);
core::Result<void> check_day(OperationContext& ctx, core::Worker const& worker);

/// The allowance of the run: the least of what its board and its worker have left.
core::Allowance allowance_of(OperationContext& ctx, core::Run const& run);
/// Counts what the run has spent since `before` for its task and the day of its board and its worker. The
/// run is stored already.
void count_spending(OperationContext& ctx, core::Run const& before, core::Run const& after);
/// Orders a running agent to stop, and its task to be blocked, when it has reached any budget.
void stop_over_budget(OperationContext& ctx, core::Run const& run);
/// A run that ended without finishing its work, with the budget of the run or of its task spent, is over
/// budget: it is not tried again by itself.
void end_over_budget(OperationContext& ctx, core::Run& run);

}  // namespace andon::service
