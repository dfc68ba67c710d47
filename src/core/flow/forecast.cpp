#include "core/flow/forecast.hpp"

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

/// Days are drawn in blocks of `days_each`, whose sums are given.
int days_of_a_trial(Days& blocks, std::int64_t tasks, int days_each) {
  for (int day = days_each; day < kFarthestDay + days_each; day += days_each) {
    tasks -= blocks.draw();
    if (tasks <= 0) return std::min(day, kFarthestDay);
  }
  return kNever;
}

/// Beyond so many days a trial need not be exact to a day.
constexpr int kFineDays = 400;
constexpr int kBlock = 16;
constexpr std::size_t kBlocks = 4096;

/// Sums of days drawn together, so that a trial of years takes no more draws than one of months.
Throughput blocks_of(Days& days) {
  Throughput out(kBlocks);
  for (auto& sum : out)
    for (int day = 0; day < kBlock; ++day) sum += days.draw();
  return out;
}

/// Whether it takes longer than that on average.
bool is_far(Throughput const& history, std::int64_t tasks) {
  auto const sum = std::accumulate(history.begin(), history.end(), std::int64_t{0});
  return tasks * std::ssize(history) > kFineDays * sum;
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
  auto const in_blocks = days > kFineDays ? days / kBlock : 0;
  auto const blocks = in_blocks > 0 ? blocks_of(drawn) : Throughput{};
  Days far_drawn(blocks, seed);
  std::vector<std::int64_t> trials(kTrials);
  for (auto& sum : trials) {
    for (int block = 0; block < in_blocks; ++block) sum += far_drawn.draw();
    for (int day = in_blocks * kBlock; day < days; ++day) sum += drawn.draw();
  }
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
  bool const far = is_far(history, tasks);
  auto const blocks = far ? blocks_of(drawn) : Throughput{};
  Days far_drawn(blocks, seed);
  std::vector<int> trials(kTrials);
  for (auto& days : trials)
    days = far ? days_of_a_trial(far_drawn, tasks, kBlock) : days_of_a_trial(drawn, tasks, 1);
  std::ranges::sort(trials);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (auto const days = at_most(trials, kConfidences[i]); days != kNever) out[i] = days;
  return out;
}

}  // namespace andon::core
