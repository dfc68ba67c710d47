#pragma once

#include "core/flow/cumulative_flow.hpp"
#include "core/flow/forecast.hpp"
#include "service/operation_context.hpp"
#include "service/requests.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {

/// Days of a board's history, the last one being today.
struct Period {
  core::Date first;
  core::Date today;
  core::Duration utc_offset{0};
  core::Instant begin{};  ///< of the first day
};
std::int64_t days_in(Period const& period);

/// The difference to UTC that `+02:00`, `-0530`, `Z` or nothing stands for.
core::Result<core::Duration> parse_utc_offset(std::string_view text);

/// The stage of a board's column; nothing for a column that the board no longer has.
std::optional<core::Stage> known_stage(core::Board const& board, std::string_view status);

/// The stages of a board's columns at each time from `since` on. Columns may have been renamed, removed or
/// given another stage.
class ColumnHistory {
 public:
  ColumnHistory(OperationContext& ctx, core::Board const& board, core::Instant since)
      : board_(board), former_(ctx.tx.former_columns(board.name, since)) {}

  std::optional<core::Stage> stage_of(std::string_view status, core::Instant at) const;
  core::StageMove stages_of(store::ColumnMove const& move) const;

 private:
  core::Board const& board_;
  std::vector<store::FormerColumn> former_;
};

/// The most finished tasks that are read one by one. For more there are totals.
inline constexpr std::size_t kOneByOne = 4'000;

/// Work that was finished since a time: not what was put away unfinished.
struct FinishedWork {
  std::vector<store::Finished> tasks;        ///< all of it, when that is not too much
  std::vector<store::FinishedTotal> totals;  ///< else in quarters of an hour, from the one of that time on
  bool is_in_totals() const { return !totals.empty(); }
};
FinishedWork finished_work(OperationContext& ctx, core::Board const& board, core::Instant since);
/// The number of tasks that were finished at or after `since`.
std::int64_t count_since(OperationContext& ctx, core::Board const& board, FinishedWork const& work,
                         core::Instant since);

/// The number of tasks that were finished on each whole day before today, from the first day on which the
/// board has data.
core::Throughput daily_throughput(OperationContext& ctx, core::Board const& board, Period const& period);
std::int64_t finished_today(OperationContext& ctx, core::Board const& board, Period const& period);

}  // namespace andon::service
