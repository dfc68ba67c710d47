#pragma once

#include <vector>

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
void describe(auto& field, StageCounts const*) {
  field(&StageCounts::backlog, "backlog", "Not approved", always);
  field(&StageCounts::ready, "ready", "Waiting to be picked", always);
  field(&StageCounts::claimed, "claimed", "Given out", always);
  field(&StageCounts::active, "active", "Being worked on", always);
  field(&StageCounts::review, "review", "Waiting for a verdict", always);
  field(&StageCounts::blocked, "blocked", "Blocked", always);
  field(&StageCounts::failed, "failed", "Given up", always);
  field(&StageCounts::done, "done", "Finished", always);
  field(&StageCounts::archived, "archived", "Put away", always);
}

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
void describe(auto& field, DayOfFlow const*) {
  field(&DayOfFlow::day, "day", "The day", always);
  field(&DayOfFlow::created, "created", "Tasks that came into being", always);
  field(&DayOfFlow::finished, "finished", "Tasks that came into done", always);
  field(&DayOfFlow::stages, "stages", "Where the tasks stood at its end", always);
}

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
