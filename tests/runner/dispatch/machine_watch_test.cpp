#include "runner/dispatch/machine_watch.hpp"

#include <doctest/doctest.h>

using namespace andon;
using namespace std::chrono_literals;
using runner::MachineWatch;

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

}  // namespace

TEST_CASE("MachineWatch.SaysWhatIsScarceAndReportsChangesOnly") {
  MachineWatch watch;
  auto const first = watch.take(calm(), 0, 0s);
  REQUIRE(first);
  CHECK_FALSE(first->is_busy);
  CHECK_FALSE(watch.take(calm(), 0, 1s));
  auto full = calm();
  full.memory_available = kGiB;
  auto const busy = watch.take(full, 0, 2s);
  REQUIRE(busy);
  CHECK(busy->is_busy);
  CHECK(busy->reason == "only 1 GiB of 24 GiB memory are free");
  CHECK_FALSE(watch.take(full, 0, 3s));
  full.memory_available = 2 * kGiB + kGiB / 2;  // over the bound, and not yet well over it
  CHECK_FALSE(watch.take(full, 0, 4s));
  CHECK_FALSE(watch.take(calm(), 0, 5s)->is_busy);
}

TEST_CASE("MachineWatch.WaitingForProcessorsMattersBesideManyRunsOnly") {
  MachineWatch watch;
  auto reading = calm();
  reading.cpu_pressure = 99;
  CHECK_FALSE(watch.take(reading, 3, 0s)->is_busy);
  CHECK(watch.take(reading, 4, 1s)->is_busy);
}

TEST_CASE("MachineWatch.EndsOneRunAtATimeWhenTheMemoryRunsOut") {
  MachineWatch watch;
  auto reading = calm();
  CHECK_FALSE(watch.must_end_a_run(reading, 0s));
  reading.memory_available = kGiB / 2;
  CHECK(watch.must_end_a_run(reading, 1s));
  CHECK_FALSE(watch.must_end_a_run(reading, 2s));
  CHECK(watch.must_end_a_run(reading, 3s));
}

TEST_CASE("MachineWatch.IsNeverBusyWhereTheKernelTellsNothing") {
  MachineWatch watch;
  CHECK_FALSE(watch.take({}, 100, 0s)->is_busy);
  CHECK_FALSE(watch.must_end_a_run({}, 1s));
}
