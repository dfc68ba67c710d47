#include "runner/dispatch/machine_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/byte_size.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kReportEvery{30'000};
/// The time for a neighbour whose runs hold more to act first.
constexpr core::Duration kNeighbourFirst{5'000};
/// The time until the next run may be ended, frozen or thawed, for each action: an ended run gives its memory
/// back, and a run that goes on takes what it needs.
constexpr std::array<core::Duration, 4> kPauseBefore{core::Duration{}, core::Duration{2'000},
                                                     core::Duration{2'000}, core::Duration{5'000}};
/// A machine is no longer busy below this share of a bound.
constexpr double kCalmShare = 0.75;
constexpr std::size_t kRunsOfProcessor = 2;

std::string per_cent(double value) { return std::to_string(std::lround(value)) + " %"; }
std::string size(std::int64_t bytes) { return core::rounded({bytes}); }

/// The least of a disk that stays free: a fiftieth, and 1 GiB.
std::int64_t least_free_disk(std::int64_t all) {
  return std::min(std::max(all / 50, std::int64_t{1} << 30U), all / 4);
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
            return r.memory == 0 ? 0 : used_share(r.memory_available, least_free_for_starts(r.memory));
          },
          [](os::MachineReading const& r) {
            return "only " + size(r.memory_available) + " of " + size(r.memory) + " memory are free";
          }},
    Bound{false,
          [](os::MachineReading const& r) {
            return r.disk == 0 ? 0 : used_share(r.disk_free, least_free_disk(r.disk));
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

std::string frozen_text(std::size_t runs) {
  return runs == 1 ? "a run stands still until more memory is free"
                   : std::to_string(runs) + " runs stand still until more memory is free";
}

}  // namespace

std::optional<service::MachineReport> MachineWatch::take(os::MachineReading const& reading,
                                                         RunsOfMachine const& runs, core::Duration now) {
  bool const was_busy = reported_ && reported_->is_busy;
  auto const* bound = exceeded(reading, runs.count, was_busy ? kCalmShare : 1);
  service::MachineReport report{reading.memory, bound || !runs.frozen.empty(),
                                bound ? bound->says(reading) : ""};
  if (!bound && report.is_busy) report.reason = frozen_text(runs.frozen.size());
  for (auto const run : runs.frozen) report.frozen.push_back({run, {}});
  report.neighbours = runs.neighbours;
  bool const differs = !reported_ || reported_runs_ != runs.count ||
                       reported_->neighbours != report.neighbours || reported_->is_busy != report.is_busy ||
                       reported_->memory != report.memory || reported_->frozen != report.frozen;
  bool const is_due = (report.is_busy || runs.count > 0) && now >= reported_at_ + kReportEvery;
  if (!differs && !is_due) return std::nullopt;
  reported_ = report;
  reported_runs_ = runs.count;
  reported_at_ = now;
  return report;
}

MemoryDecision MachineWatch::decide(MemoryFigures const& figures, core::Duration now) {
  if (!is_short(figures))
    short_since_.reset();
  else if (!short_since_)
    short_since_ = now;
  if (is_plentiful(figures)) free_at_freeze_.reset();
  auto const decision = decide_on_memory(figures);
  if (decision.action == MemoryAction::none || !is_due(decision, figures, now)) return {};
  acted_at_ = now;
  if (decision.action == MemoryAction::freeze) free_at_freeze_ = figures.free;
  return decision;
}

bool MachineWatch::is_due(MemoryDecision const& decision, MemoryFigures const& figures,
                          core::Duration now) const {
  if (acted_at_ && now < *acted_at_ + kPauseBefore[static_cast<std::size_t>(decision.action)]) return false;
  if (decision.is_neighbours_turn && short_since_ && now < *short_since_ + kNeighbourFirst) return false;
  bool const is_next_freeze = decision.action == MemoryAction::freeze && free_at_freeze_;
  return !is_next_freeze || figures.free <= *free_at_freeze_ / 4 * 3;
}

}  // namespace andon::runner
