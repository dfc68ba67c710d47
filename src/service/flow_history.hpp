#pragma once

#include "core/cumulative_flow.hpp"
#include "core/forecast.hpp"
#include "service/requests.hpp"

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

/// What a board's column means; nothing for a column the board does not have any more.
std::optional<core::Stage> known_stage(core::Board const& board, std::string_view status);
core::StageMove stage_move(core::Board const& board, store::ColumnMove const& move);

/// Work that was finished since then: not what was put away unfinished.
std::vector<store::Finished> finished_work(Unit& u, core::Board const& board, core::Instant since);

/// How many tasks were finished on each of the whole days before today, beginning with the first on which
/// the board has anything to show.
core::Throughput daily_throughput(Unit& u, core::Board const& board, Period const& period);
std::int64_t finished_today(Unit& u, core::Board const& board, Period const& period);

}  // namespace andon::service
