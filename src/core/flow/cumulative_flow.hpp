#pragma once

#include <vector>

#include <boost/describe.hpp>

#include "core/field.hpp"
#include "core/flow/flow.hpp"

namespace andon::core {

/// The number of tasks in each stage.
struct StageCounts {
  std::int64_t backlog = 0;
  std::int64_t ready = 0;
  std::int64_t claimed = 0;
  std::int64_t active = 0;
  std::int64_t review = 0;
  std::int64_t blocked = 0;
  std::int64_t failed = 0;
  std::int64_t done = 0;
  std::int64_t archived = 0;
  bool operator==(StageCounts const&) const = default;
};
BOOST_DESCRIBE_STRUCT(StageCounts, (),
                      (backlog, ready, claimed, active, review, blocked, failed, done, archived))
inline constexpr std::array kStageCountFields{Field{"backlog", "Not approved", always},
                                              Field{"ready", "Waiting to be picked", always},
                                              Field{"claimed", "Given out", always},
                                              Field{"active", "Being worked on", always},
                                              Field{"review", "Waiting for a verdict", always},
                                              Field{"blocked", "Blocked", always},
                                              Field{"failed", "Given up", always},
                                              Field{"done", "Finished", always},
                                              Field{"archived", "Put away", always}};
constexpr auto const& fields(StageCounts const*) { return kStageCountFields; }

std::int64_t& count_of(StageCounts& counts, Stage stage);
/// The number of tasks that have left the queue and are not finished: claimed, active, in review or blocked.
std::int64_t work_in_progress(StageCounts const& counts);

/// One day of a cumulative flow diagram: what came, what was finished, and where everything stood when the
/// day was over.
struct DayOfFlow {
  Date day;
  std::int64_t created = 0;
  std::int64_t finished = 0;
  StageCounts stages;
  bool operator==(DayOfFlow const&) const = default;
};
BOOST_DESCRIBE_STRUCT(DayOfFlow, (), (day, created, finished, stages))
inline constexpr std::array kDayOfFlowFields{Field{"day", "The day", always},
                                             Field{"created", "Tasks that came into being", always},
                                             Field{"finished", "Tasks that came into done", always},
                                             Field{"stages", "Where the tasks stood at its end", always}};
constexpr auto const& fields(DayOfFlow const*) { return kDayOfFlowFields; }

/// The day a moment falls on where clocks are that far ahead of UTC.
Date day_of(Instant at, Duration utc_offset);
Instant start_of(Date day, Duration utc_offset);

/// The days from `first` to the one of `now`, found by undoing the moves one by one from where the tasks
/// stand now. `moves` are those since `first`, in order. D. J. Anderson, "Kanban", 2010, ch. 12.
std::vector<DayOfFlow> cumulative_flow(StageCounts now_counts, std::vector<StageMove> const& moves,
                                       Date first, Instant now, Duration utc_offset);

/// The mean of the work in progress at the ends of the days.
double average_wip(std::vector<DayOfFlow> const& days);

}  // namespace andon::core
