#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/field.hpp"
#include "core/model/stage.hpp"
#include "core/model/task.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The distribution of durations, in hours. The percentile P is the shortest of the given durations within
/// which P per cent of them lie (nearest rank): D. S. Vacanti, "Actionable Agile Metrics for Predictability",
/// 2015, ch. 10.
struct Spread {
  std::int64_t count = 0;
  double mean_hours = 0;
  double p50_hours = 0;
  double p85_hours = 0;
  double p95_hours = 0;
  bool operator==(Spread const&) const = default;
};
void describe(auto& field, Spread const*) {
  field(&Spread::count, "count", "How many were measured", always);
  field(&Spread::mean_hours, "mean_hours", "Mean, in hours", always);
  field(&Spread::p50_hours, "p50_hours", "Half were done within this time", always);
  field(&Spread::p85_hours, "p85_hours", "85 % were done within this time", always);
  field(&Spread::p95_hours, "p95_hours", "95 % were done within this time", always);
}

double hours(Duration duration);
Spread spread_of(std::vector<Duration> durations);
/// The spread of durations with their frequencies, in ascending order.
Spread spread_of_counts(std::vector<std::pair<Duration, std::int64_t>> const& times);

/// A task that was finished.
struct Delivery {
  Instant created{};
  std::optional<Instant> started;
  Instant completed{};
};
/// From the request to the delivery: D. J. Anderson, "Kanban", 2010, ch. 12.
Duration lead_time(Delivery const& delivery);
/// From the start of the work to the delivery: Vacanti 2015, ch. 1. Nothing for work that was never started.
std::optional<Duration> cycle_time(Delivery const& delivery);
/// The share of the lead time during which the work was under way: mean cycle time by mean lead time, over
/// the deliveries that have both. Nothing when no time passed.
std::optional<double> flow_efficiency(std::vector<Delivery> const& deliveries);

/// A task coming into a stage; no `from` when it came into being, no `to` when its column is not known any
/// more.
struct StageMove {
  Instant at{};
  TaskId task = 0;
  std::optional<Stage> from;
  std::optional<Stage> to;
  std::int64_t count = 1;  ///< tasks that moved alike at that time
};
/// The time spent in active columns until `end`, of one task's moves in order: the touch time of
/// N. Modig and P. Åhlström, "This Is Lean", 2012, ch. 2.
Duration active_time(std::vector<StageMove> const& moves, Instant end);

/// The verdict a move out of review is, by whatever act.
enum class Verdict { accepted, rejected };
std::optional<Verdict> verdict_of(StageMove const& move);

/// The average cycle time for an average amount of work in progress W and a throughput λ: L = λW, J. D. C.
/// Little, "A Proof for the Queuing Formula", 1961. Nothing for a throughput of zero.
std::optional<Duration> expected_cycle_time(double average_wip, double throughput_per_day);

/// A share between 0 and 1; nothing of nothing.
std::optional<double> share_of(std::int64_t part, std::int64_t whole);

}  // namespace andon::core
