#include "core/flow/flow.hpp"

#include <algorithm>

namespace andon::core {
namespace {

Duration nearest_rank(std::vector<Duration> const& sorted, std::size_t per_cent) {
  auto const rank = (sorted.size() * per_cent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

double hours(Duration duration) { return static_cast<double>(duration.count()) / 3'600'000.0; }

Spread spread_of(std::vector<Duration> durations) {
  if (durations.empty()) return {};
  std::ranges::sort(durations);
  double sum = 0;
  for (auto const duration : durations) sum += hours(duration);
  return {static_cast<std::int64_t>(durations.size()), sum / static_cast<double>(durations.size()),
          hours(nearest_rank(durations, 50)), hours(nearest_rank(durations, 85)),
          hours(nearest_rank(durations, 95))};
}

Spread spread_of_counts(std::vector<std::pair<Duration, std::int64_t>> const& times) {
  Spread out;
  double sum = 0;
  for (auto const& [time, n] : times) {
    out.count += n;
    sum += hours(time) * static_cast<double>(n);
  }
  if (out.count == 0) return {};
  auto const rank = [&](std::int64_t per_cent) {
    auto left = std::max<std::int64_t>((out.count * per_cent + 99) / 100, 1);
    for (auto const& [time, n] : times)
      if ((left -= n) <= 0) return hours(time);
    return hours(times.back().first);
  };
  out.mean_hours = sum / static_cast<double>(out.count);
  out.p50_hours = rank(50);
  out.p85_hours = rank(85);
  out.p95_hours = rank(95);
  return out;
}

Duration lead_time(Delivery const& delivery) {
  return std::max(delivery.completed - delivery.created, Duration{0});
}

std::optional<Duration> cycle_time(Delivery const& delivery) {
  if (!delivery.started) return std::nullopt;
  return std::max(delivery.completed - *delivery.started, Duration{0});
}

std::optional<double> flow_efficiency(std::vector<Delivery> const& deliveries) {
  double lead = 0, cycle = 0;
  for (auto const& delivery : deliveries)
    if (auto const time = cycle_time(delivery)) {
      cycle += hours(*time);
      lead += hours(lead_time(delivery));
    }
  if (lead <= 0) return std::nullopt;
  return cycle / lead;
}

Duration active_time(std::vector<StageMove> const& moves, Instant end) {
  Duration sum{0};
  std::optional<Instant> since;
  for (auto const& move : moves) {
    if (move.at > end) break;
    if (since) sum += move.at - *since;
    since = move.to == Stage::active ? std::optional{move.at} : std::nullopt;
  }
  return since ? sum + (end - *since) : sum;
}

std::optional<Verdict> verdict_of(StageMove const& move) {
  if (move.from != Stage::review || !move.to) return std::nullopt;
  if (*move.to == Stage::done) return Verdict::accepted;
  if (uses_capacity(*move.to)) return Verdict::rejected;
  return std::nullopt;
}

std::optional<Duration> expected_cycle_time(double average_wip, double throughput_per_day) {
  if (throughput_per_day <= 0) return std::nullopt;
  constexpr double kDay = 86'400'000.0;
  return Duration{static_cast<Duration::rep>(average_wip / throughput_per_day * kDay)};
}

std::optional<double> share_of(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace andon::core
