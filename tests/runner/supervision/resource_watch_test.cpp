#include "runner/supervision/resource_watch.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <poll.h>

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "os/processes/process.hpp"
#include "os/processes/resource_use.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace std::chrono_literals;
using runner::ResourceJudge;

namespace {

constexpr std::int64_t kGiB = 1LL << 30U;

core::ResourceLimits memory_limit(std::int64_t bytes) { return {.memory = core::ByteSize{bytes}}; }

}  // namespace

TEST_CASE("ResourceJudge.SaysWhichLimitWasExceededWithThePeak") {
  ResourceJudge judge{memory_limit(4 * kGiB)};
  judge.take({.memory = 4 * kGiB});
  CHECK_FALSE(judge.is_exceeded());
  CHECK(judge.excess().empty());
  judge.take({.memory = 4 * kGiB + kGiB / 2});
  judge.take({.memory = 5 * kGiB});
  judge.take({.memory = kGiB});
  CHECK(judge.is_exceeded());
  CHECK(judge.excess().starts_with("used 5 GiB of memory, more than the 4 GiB that it may"));
  CHECK(judge.peak_memory() == 5 * kGiB);
}

TEST_CASE("ResourceJudge.LimitsProcessesAndDisk") {
  ResourceJudge processes{{.processes = 10}};
  processes.take({.processes = 11});
  CHECK(processes.excess().starts_with("used 11 processes at once, more than the 10"));
  ResourceJudge disk{{.disk = core::ByteSize{kGiB}}};
  disk.take({.disk = 2 * kGiB});
  CHECK(disk.excess().starts_with("used 2 GiB of disk, more than the 1 GiB"));
}

TEST_CASE("ResourceJudge.LooksMoreOftenNearTheLimit") {
  ResourceJudge judge{memory_limit(4 * kGiB)};
  judge.take({.memory = 0});
  CHECK(judge.interval() == 1000ms);
  judge.take({.memory = 3 * kGiB});
  CHECK(judge.interval() <= 260ms);
  judge.take({.memory = 4 * kGiB - 1});
  CHECK(judge.interval() == 20ms);
}

TEST_CASE("ResourceWatch.MeasuresAProcessAndEndsItsWait") {
  auto const child = os::spawn({.program = "/bin/sleep", .argv = {"sleep", "60"}});
  std::vector<pid_t> const processes{child.pid};
  runner::ResourceWatch const watch{{.memory = core::ByteSize{1}}, [&] { return processes; }, {}};
  pollfd exceeded{watch.handle(), POLLIN, 0};
  CHECK(::poll(&exceeded, 1, 10'000) == 1);
  CHECK(watch.is_exceeded());
  CHECK(watch.use().used.peak_memory > 0);
  ::kill(child.pid, SIGKILL);
  os::reap(child.pid);
}

TEST_CASE("RunUse.AnEndBeyondALimitIsNoSuccess") {
  core::ResourceLimits const limits{.memory = core::ByteSize{kGiB}, .disk = core::ByteSize{kGiB}};
  struct Row {
    char const* name;
    runner::RunUse use;
    core::Exit exit;
    std::optional<runner::StopReason> stopped;
    std::optional<runner::StopReason> reason;
    std::string_view says;
  };
  using enum runner::StopReason;
  std::vector<Row> const rows{
      {"within", {.used = {kGiB / 2, 1s}}, {.code = 0}, {}, {}, ""},
      {"too quick to be seen",
       {.used = {2 * kGiB, 1s}},
       {.code = 0},
       {},
       over_limit,
       "used 2 GiB of memory, more than the 1 GiB"},
      {"ended by its cgroup",
       {.used = {kGiB, 1s}, .ran_out_of_memory = true},
       {.signal = SIGKILL},
       {},
       over_limit,
       "used 1 GiB of memory"},
      {"too large a file",
       {},
       {.signal = SIGXFSZ},
       {},
       over_limit,
       "wrote too large a file, more than the 1 GiB"},
      {"ended by the kernel",
       {.used = {kGiB / 2, 1s}, .machine_ran_out = true},
       {.signal = SIGKILL},
       {},
       short_of_memory,
       "the machine had no memory left"},
      {"another one was ended by the kernel", {.machine_ran_out = true}, {.code = 0}, {}, {}, ""},
      {"killed by a person", {.used = {2 * kGiB, 1s}}, {.signal = SIGKILL}, killed, killed, ""},
      {"seen beyond its limit",
       {.excess = "used 11 processes"},
       {.signal = SIGKILL},
       over_limit,
       over_limit,
       "used 11 processes"},
  };
  for (auto const& row : rows) {
    CAPTURE(row.name);
    runner::EndRecord record;
    record.exit = row.exit;
    record.stopped = row.stopped;
    runner::add_use(record, row.use, limits);
    CHECK(record.stopped == row.reason);
    CHECK(record.excess.starts_with(row.says));
    CHECK(record.excess.empty() == row.says.empty());
    CHECK(record.used.peak_memory == row.use.used.peak_memory);
  }
}

TEST_CASE("DiskMeter.CountsFilesBelowAndFollowsNoLinks") {
  test::Scratch const scratch;
  auto const root = scratch.path() / "tree";
  std::filesystem::create_directories(root / "deep" / "er");
  std::ofstream{root / "deep" / "er" / "file"} << std::string(1 << 20U, 'x');
  std::filesystem::create_directory_symlink("/usr", root / "link");
  runner::DiskMeter meter{{root}};
  std::int64_t bytes = 0;
  for (int i = 0; i < 20; ++i) bytes = meter.step(3);
  CHECK(bytes >= 1 << 20U);
  CHECK(bytes < 2 << 20U);
}
