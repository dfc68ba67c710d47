#include "core/flow/cumulative_flow.hpp"

#include <algorithm>
#include <array>

namespace andon::core {
namespace {

constexpr std::array<std::int64_t StageCounts::*, kStages> kCounts{
    &StageCounts::backlog, &StageCounts::ready,  &StageCounts::claimed,
    &StageCounts::active,  &StageCounts::review, &StageCounts::blocked,
    &StageCounts::failed,  &StageCounts::done,   &StageCounts::archived};

void take_back(StageCounts& counts, StageMove const& move) {
  if (move.to) count_of(counts, *move.to) -= move.count;
  if (move.from) count_of(counts, *move.from) += move.count;
}

/// A history that misses something must not lead below nothing. Whole days are judged, because the moves of a
/// quarter of an hour have no order.
void raise_to_nothing(StageCounts& counts) {
  for (auto const count : kCounts) counts.*count = std::max<std::int64_t>(counts.*count, 0);
}

}  // namespace

std::int64_t& count_of(StageCounts& counts, Stage stage) {
  return counts.*kCounts[static_cast<std::size_t>(stage)];
}

std::int64_t work_in_progress(StageCounts const& counts) {
  return counts.claimed + counts.active + counts.review + counts.blocked;
}

Date day_of(Instant at, Duration utc_offset) {
  return {std::chrono::floor<std::chrono::days>(at + utc_offset)};
}

Instant start_of(Date day, Duration utc_offset) { return Instant{day.day} - utc_offset; }

std::vector<DayOfFlow> cumulative_flow(StageCounts now_counts, std::vector<StageMove> const& moves,
                                       Date first, Instant now, Duration utc_offset) {
  std::vector<DayOfFlow> out;
  auto move = moves.rbegin();
  for (auto day = day_of(now, utc_offset); day >= first; day.day -= std::chrono::days{1}) {
    DayOfFlow row{day, 0, 0, now_counts};
    for (; move != moves.rend() && move->at >= start_of(day, utc_offset); ++move) {
      if (!move->from) row.created += move->count;
      if (move->to == Stage::done && move->from != Stage::done) row.finished += move->count;
      take_back(now_counts, *move);
    }
    raise_to_nothing(now_counts);
    out.push_back(row);
  }
  std::ranges::reverse(out);
  return out;
}

double average_wip(std::vector<DayOfFlow> const& days) {
  if (days.empty()) return 0;
  double sum = 0;
  for (auto const& day : days) sum += static_cast<double>(work_in_progress(day.stages));
  return sum / static_cast<double>(days.size());
}

}  // namespace andon::core
