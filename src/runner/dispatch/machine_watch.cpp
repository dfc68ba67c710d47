#include "runner/dispatch/machine_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/byte_size.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kReportEvery{30'000};
/// The time in which an ended run gives its memory back.
constexpr core::Duration kBetweenEnds{2'000};
/// A machine is no longer busy below this share of a bound.
constexpr double kCalmShare = 0.75;
constexpr std::size_t kRunsOfProcessor = 2;

std::string per_cent(double value) { return std::to_string(std::lround(value)) + " %"; }
std::string size(std::int64_t bytes) { return core::rounded({bytes}); }

/// The least of a resource that stays free: a share of all, and an amount.
std::int64_t least_free(std::int64_t all, std::int64_t part, std::int64_t amount) {
  return std::min(std::max(all / part, amount), all / 4);
}

/// A bound of the machine: how close a reading is to it, where 1 is at the bound, and the reading in words.
struct Bound {
  bool is_of_many_runs;  ///< it matters only beside several runs for each processor
  double (*load)(os::MachineReading const&);
  std::string (*says)(os::MachineReading const&);
};

constexpr double kMostMemoryPressure = 20;
constexpr double kMostIoPressure = 60;
constexpr double kMostCpuPressure = 90;

double used_share(std::int64_t free, std::int64_t least) {
  return free <= 0 ? 1 : static_cast<double>(least) / static_cast<double>(free);
}

constexpr std::array kBounds{
    Bound{false,
          [](os::MachineReading const& r) {
            return r.memory == 0 ? 0 : used_share(r.memory_available, least_free(r.memory, 10, 1LL << 30U));
          },
          [](os::MachineReading const& r) {
            return "only " + size(r.memory_available) + " of " + size(r.memory) + " memory are free";
          }},
    Bound{false,
          [](os::MachineReading const& r) {
            return r.disk == 0 ? 0 : used_share(r.disk_free, least_free(r.disk, 50, 1LL << 30U));
          },
          [](os::MachineReading const& r) {
            return "only " + size(r.disk_free) + " of " + size(r.disk) + " disk are free";
          }},
    Bound{false,
          [](os::MachineReading const& r) { return r.memory_pressure.value_or(0) / kMostMemoryPressure; },
          [](os::MachineReading const& r) {
            return "processes wait for memory " + per_cent(*r.memory_pressure) + " of the time";
          }},
    Bound{true, [](os::MachineReading const& r) { return r.io_pressure.value_or(0) / kMostIoPressure; },
          [](os::MachineReading const& r) {
            return "processes wait for the disk " + per_cent(*r.io_pressure) + " of the time";
          }},
    Bound{true, [](os::MachineReading const& r) { return r.cpu_pressure.value_or(0) / kMostCpuPressure; },
          [](os::MachineReading const& r) {
            return "processes wait for a processor " + per_cent(*r.cpu_pressure) + " of the time";
          }},
};

/// The first bound that a reading exceeds; `share` is less than 1 for a machine that was busy before.
Bound const* exceeded(os::MachineReading const& reading, std::size_t runs, double share) {
  bool const are_many = runs >= kRunsOfProcessor * std::max<std::size_t>(reading.processors, 1);
  auto const found = std::ranges::find_if(kBounds, [&](Bound const& bound) {
    return (are_many || !bound.is_of_many_runs) && bound.load(reading) >= share;
  });
  return found == kBounds.end() ? nullptr : found;
}

}  // namespace

std::optional<service::MachineReport> MachineWatch::take(os::MachineReading const& reading, std::size_t runs,
                                                         core::Duration now) {
  bool const was_busy = reported_ && reported_->is_busy;
  auto const* bound = exceeded(reading, runs, was_busy ? kCalmShare : 1);
  service::MachineReport const report{reading.memory, bound != nullptr, bound ? bound->says(reading) : ""};
  bool const differs =
      !reported_ || reported_->is_busy != report.is_busy || reported_->memory != report.memory;
  if (!differs && !(report.is_busy && now >= reported_at_ + kReportEvery)) return std::nullopt;
  reported_ = report;
  reported_at_ = now;
  return report;
}

bool MachineWatch::must_end_a_run(os::MachineReading const& reading, core::Duration now) {
  if (reading.memory == 0 || reading.memory_available >= least_free(reading.memory, 20, 512LL << 20U))
    return false;
  if (ended_at_ && now < *ended_at_ + kBetweenEnds) return false;
  ended_at_ = now;
  return true;
}

}  // namespace andon::runner
