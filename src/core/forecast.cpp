#include "core/forecast.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace andon::core {
namespace {

constexpr int kNever = std::numeric_limits<int>::max();

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", 2014):
/// unlike those of the standard library its draws are the same with every compiler.
class Days {
 public:
  Days(Throughput const& history, std::uint64_t seed) : history_(history), state_(seed) {}
  std::int64_t draw() { return history_[next() % history_.size()]; }

 private:
  std::uint64_t next() {
    auto z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  Throughput const& history_;
  std::uint64_t state_;
};

/// The value that `per_cent` of the sorted trials do not exceed.
template <class T>
T at_most(std::vector<T> const& sorted, int per_cent) {
  auto const rank = (sorted.size() * static_cast<std::size_t>(per_cent) + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

int days_of_a_trial(Days& days, std::int64_t tasks) {
  for (int day = 1; day <= kFarthestDay; ++day) {
    tasks -= days.draw();
    if (tasks <= 0) return day;
  }
  return kNever;
}

bool has_finished_anything(Throughput const& history) {
  return std::ranges::any_of(history, [](auto n) { return n > 0; });
}

}  // namespace

bool is_enough(Throughput const& history) {
  return history.size() >= kLeastDays &&
         std::accumulate(history.begin(), history.end(), std::int64_t{0}) >= kLeastTasks;
}

std::array<std::int64_t, 3> tasks_within(Throughput const& history, int days, std::uint64_t seed) {
  if (!has_finished_anything(history)) return {};
  Days drawn(history, seed);
  std::vector<std::int64_t> trials(kTrials);
  for (auto& sum : trials)
    for (int day = 0; day < days; ++day) sum += drawn.draw();
  std::ranges::sort(trials, std::greater{});
  std::array<std::int64_t, 3> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = at_most(trials, kConfidences[i]);
  return out;
}

std::array<std::optional<int>, 3> days_until(Throughput const& history, std::int64_t tasks,
                                             std::uint64_t seed) {
  std::array<std::optional<int>, 3> out{};
  if (tasks <= 0) return {0, 0, 0};
  if (!has_finished_anything(history)) return out;
  Days drawn(history, seed);
  std::vector<int> trials(kTrials);
  for (auto& days : trials) days = days_of_a_trial(drawn, tasks);
  std::ranges::sort(trials);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (auto const days = at_most(trials, kConfidences[i]); days != kNever) out[i] = days;
  return out;
}

}  // namespace andon::core
