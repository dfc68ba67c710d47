#include "runner/dispatch/machine_watch.hpp"

#include <algorithm>
#include <random>

#include <doctest/doctest.h>

using namespace andon;
using namespace std::chrono_literals;
using runner::MachineWatch;
using runner::MemoryAction;
using runner::MemoryFigures;

namespace {

constexpr std::int64_t kGiB = 1LL << 30U;

os::MachineReading calm() {
  return {.processors = 2,
          .memory = 24 * kGiB,
          .memory_available = 20 * kGiB,
          .disk = 100 * kGiB,
          .disk_free = 50 * kGiB,
          .memory_pressure = 0,
          .cpu_pressure = 0,
          .io_pressure = 0};
}

/// A machine on which four runs and other programs take and give back memory, with its clock.
struct MachineUnderLoad {
  MachineUnderLoad(unsigned seed, std::int64_t most) : random(seed), most_of_run(most) {
    for (int id = 1; id <= 4; ++id) runs.push_back({core::RunId{id}, 100 << 20, false, false});
  }

  std::int64_t free() const {
    auto used = strangers;
    for (auto const& run : runs) used += run.bytes;
    return std::max<std::int64_t>(24 * kGiB - used, 0);
  }
  std::int64_t below(std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>{0, most}(random);
  }
  std::int64_t frozen() const { return std::ranges::count(runs, true, &runner::MemoryOfRun::is_frozen); }

  /// Everything moves but frozen runs, and the machine is looked at.
  void step() {
    strangers = std::clamp<std::int64_t>(strangers + below(4 * kGiB) - 2 * kGiB, 0, 24 * kGiB);
    for (auto& run : runs)
      if (!run.is_frozen) run.bytes = below(most_of_run);
    settle();
  }
  void settle() {
    auto const calm_before = free();
    now += core::Duration{250};
    auto const decision = watch.decide({24 * kGiB, free(), runs, {}}, now);
    auto const run = std::ranges::find(runs, decision.run, &runner::MemoryOfRun::run);
    if (decision.action == MemoryAction::end) {
      ++ended;
      last_ended = decision.run;
      runs.erase(run);
    } else if (decision.action != MemoryAction::none) {
      CHECK((decision.action == MemoryAction::freeze) == (calm_before < 2 * kGiB));
      run->is_frozen = decision.action == MemoryAction::freeze;
    }
    auto reading = calm();
    reading.memory_available = free();
    std::vector<core::RunId> held;
    for (auto const& one : runs)
      if (one.is_frozen) held.push_back(one.run);
    if (auto const report = watch.take(reading, {runs.size(), held}, now)) is_busy = report->is_busy;
    if (!held.empty() || free() < 2 * kGiB) CHECK(is_busy);
  }

  std::mt19937 random;
  std::int64_t most_of_run;
  std::int64_t strangers = 20 * kGiB;
  std::vector<runner::MemoryOfRun> runs;
  MachineWatch watch;
  core::Duration now{};
  bool is_busy = false;
  int ended = 0;
  core::RunId last_ended = 0;
};

}  // namespace

TEST_CASE("MachineWatch.SaysWhatIsScarceAndReportsChangesOnly") {
  MachineWatch watch;
  auto const first = watch.take(calm(), {}, 0s);
  REQUIRE(first);
  CHECK_FALSE(first->is_busy);
  CHECK_FALSE(watch.take(calm(), {}, 1s));
  auto full = calm();
  full.memory_available = kGiB;
  auto const busy = watch.take(full, {}, 2s);
  REQUIRE(busy);
  CHECK(busy->is_busy);
  CHECK(busy->reason == "only 1 GiB of 24 GiB memory are free");
  CHECK_FALSE(watch.take(full, {}, 3s));
  full.memory_available = 2 * kGiB + kGiB / 2;  // over the bound, and not yet well over it
  CHECK_FALSE(watch.take(full, {}, 4s));
  CHECK_FALSE(watch.take(calm(), {}, 5s)->is_busy);
}

TEST_CASE("MachineWatch.ReportsWhenRunsBeginAndEndHereAndAtNeighbours") {
  MachineWatch watch;
  REQUIRE(watch.take(calm(), {}, 0s));
  CHECK(watch.take(calm(), {1}, 1s));
  CHECK_FALSE(watch.take(calm(), {1}, 2s));
  CHECK(watch.take(calm(), {1, {}, {2, kGiB}}, 3s)->neighbours.memory == kGiB);
  CHECK_FALSE(watch.take(calm(), {1, {}, {2, kGiB}}, 4s));
  CHECK(watch.take(calm(), {1, {}, {2, kGiB}}, 40s));
  CHECK(watch.take(calm(), {}, 41s));
  CHECK_FALSE(watch.take(calm(), {}, 100s));
}

TEST_CASE("MachineWatch.WaitingForProcessorsMattersBesideManyRunsOnly") {
  MachineWatch watch;
  auto reading = calm();
  reading.cpu_pressure = 99;
  CHECK_FALSE(watch.take(reading, {3}, 0s)->is_busy);
  CHECK(watch.take(reading, {4}, 1s)->is_busy);
}

TEST_CASE("MachineWatch.EndsOneRunAtATimeWhenTheMemoryRunsOut") {
  MachineWatch watch;
  MemoryFigures figures{24 * kGiB, 20 * kGiB, {{1, 12 * kGiB}}, {}};
  CHECK(watch.decide(figures, 0s).action == MemoryAction::none);
  figures.free = kGiB / 2;
  CHECK(watch.decide(figures, 1s).action == MemoryAction::end);
  CHECK(watch.decide(figures, 2s).action == MemoryAction::none);
  CHECK(watch.decide(figures, 3s).action == MemoryAction::end);
}

TEST_CASE("MachineWatch.FreezesAnotherRunOnlyWhenStillLessMemoryIsFree") {
  MachineWatch watch;
  MemoryFigures figures{24 * kGiB, kGiB, {{1, kGiB}, {2, kGiB / 2}}, {}};
  CHECK(watch.decide(figures, 0s).action == MemoryAction::freeze);
  figures.runs[0].is_frozen = true;
  CHECK(watch.decide(figures, 60s).action == MemoryAction::none);
  figures.free = kGiB / 2;
  CHECK(watch.decide(figures, 61s) == runner::MemoryDecision{MemoryAction::freeze, 2});
  figures.runs[1].is_frozen = true;
  figures.free = 6 * kGiB;
  CHECK(watch.decide(figures, 70s) == runner::MemoryDecision{MemoryAction::thaw, 2});
  figures.runs[1].is_frozen = false;
  CHECK(watch.decide(figures, 71s).action == MemoryAction::none);
  CHECK(watch.decide(figures, 75s) == runner::MemoryDecision{MemoryAction::thaw, 1});
}

TEST_CASE("MachineWatch.ANeighbourWhoseRunsHoldMoreActsFirst") {
  MachineWatch watch;
  MemoryFigures figures{24 * kGiB, kGiB, {{1, 6 * kGiB}}, {9 * kGiB}};
  CHECK(watch.decide(figures, 0s).action == MemoryAction::none);
  CHECK(watch.decide(figures, 4s).action == MemoryAction::none);
  CHECK(watch.decide(figures, 5s).action == MemoryAction::end);
  figures.free = 8 * kGiB;
  CHECK(watch.decide(figures, 10s).action == MemoryAction::none);
  figures.free = kGiB;
  CHECK(watch.decide(figures, 20s).action == MemoryAction::none);  // a new shortage
  figures.neighbours = {kGiB};
  CHECK(watch.decide(figures, 21s).action == MemoryAction::end);
}

TEST_CASE("MachineWatch.NothingStartsBesideAFrozenRun") {
  MachineWatch watch;
  CHECK_FALSE(watch.take(calm(), {2}, 0s)->is_busy);
  auto const report = watch.take(calm(), {2, {7}}, 1s);
  REQUIRE(report);
  CHECK(report->is_busy);
  CHECK(report->reason == "a run stands still until more memory is free");
  CHECK(report->frozen == std::vector<service::FrozenRun>{{7, {}}});
  CHECK_FALSE(watch.take(calm(), {2, {7}}, 2s));
  CHECK(watch.take(calm(), {2, {7, 8}}, 3s)->frozen.size() == 2);
  CHECK_FALSE(watch.take(calm(), {2}, 4s)->is_busy);
}

TEST_CASE("MachineWatch.WhateverOtherProgramsDoSmallRunsAreNeverEnded") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    MachineUnderLoad machine{seed, kGiB};
    for (int step = 0; step < 400; ++step) machine.step();
    CHECK(machine.ended == 0);
    machine.strangers = 0;
    for (int step = 0; step < 400; ++step) machine.settle();
    CHECK(machine.frozen() == 0);
  }
}

TEST_CASE("MachineWatch.ARunThatTakesTheMachineIsEndedAndTheOthersGoOn") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    MachineUnderLoad machine{seed, kGiB};
    machine.runs[0].bytes = 23 * kGiB;
    for (int step = 0; step < 100 && machine.ended == 0; ++step) machine.settle();
    CHECK(machine.ended == 1);
    CHECK(machine.last_ended == 1);
    for (int step = 0; step < 400; ++step) machine.settle();
    CHECK(machine.ended == 1);
    CHECK(machine.frozen() == 0);
  }
}

TEST_CASE("MachineWatch.IsNeverBusyWhereTheKernelTellsNothing") {
  MachineWatch watch;
  CHECK_FALSE(watch.take({}, {100}, 0s)->is_busy);
  CHECK(watch.decide({0, 0, {{1, kGiB}}, {}}, 1s) == runner::MemoryDecision{});
}
