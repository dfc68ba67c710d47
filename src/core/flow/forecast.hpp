#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace andon::core {

/// The confidences of forecasts, in per cent.
inline constexpr std::array<int, 3> kConfidences{50, 85, 95};
inline constexpr int kTrials = 10'000;
/// A trial ends after so many days: what takes longer has no date.
inline constexpr int kFarthestDay = 3660;

/// Finished tasks of past days, one number a day. A forecast draws its days from these: Monte Carlo
/// simulation of throughput, D. S. Vacanti, "Actionable Agile Metrics for Predictability", 2015, ch. 14;
/// T. Magennis, "Forecasting and Simulating Software Development Projects", 2011.
using Throughput = std::vector<std::int64_t>;

/// Below this much history the drawn days say more about luck than about the team.
inline constexpr std::size_t kLeastDays = 7;
inline constexpr std::int64_t kLeastTasks = 5;
bool is_enough(Throughput const& history);

/// At least so many tasks will be finished within `days`, for each of `kConfidences`. The same history and
/// seed give the same answer everywhere.
std::array<std::int64_t, 3> tasks_within(Throughput const& history, int days, std::uint64_t seed);

/// `tasks` will be finished after at most so many days, for each of `kConfidences`; nothing when that lies
/// beyond `kFarthestDay`.
std::array<std::optional<int>, 3> days_until(Throughput const& history, std::int64_t tasks,
                                             std::uint64_t seed);

}  // namespace andon::core
