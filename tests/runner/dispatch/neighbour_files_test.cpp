#include "runner/dispatch/neighbour_files.hpp"

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "runner/dispatch/machine_watch.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace std::chrono_literals;
using runner::Fleet;
using runner::MemoryAction;
using runner::NeighbourFiles;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kGibibyte = 1LL << 30U;

/// Another process that lives as long as this test.
os::ProcessId living_parent() { return *os::identify(::getppid()); }
fs::path fleet_file(fs::path const& directory, os::ProcessId const& process) {
  return directory / (os::to_text(process) + ".fleet");
}
std::size_t names_in(fs::path const& directory) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator{directory}, fs::directory_iterator{}));
}

}  // namespace

TEST_CASE("NeighbourFiles.TwoServersKnowOfEachOthersRuns") {
  test::Scratch scratch;
  NeighbourFiles here{scratch / "."};
  CHECK(here.read().empty());
  here.publish({1, 2, 3});
  {
    NeighbourFiles there{scratch / ".", living_parent()};
    CHECK(there.read() == std::vector<Fleet>{{1, 2, 3}});
    CHECK(here.read().empty());
    there.publish({4, 5 * kGibibyte, 6 * kGibibyte});
    CHECK(here.read() == std::vector<Fleet>{{4, 5 * kGibibyte, 6 * kGibibyte}});
    there.publish({0, 0, 0});
    CHECK(here.read() == std::vector<Fleet>{{0, 0, 0}});
    fs::remove(fleet_file(scratch / ".", os::own_identity()));
    here.publish({1, 2, 3});  // as before, and the file is gone
    CHECK(there.read() == std::vector<Fleet>{{1, 2, 3}});
  }
  CHECK(here.read().empty());  // it ended
  CHECK(names_in(scratch / ".") == 1);
}

TEST_CASE("NeighbourFiles.FilesOfDeadProcessesAreRemoved") {
  test::Scratch scratch;
  NeighbourFiles here{scratch / "."};
  auto dead = living_parent();
  dead.started += 1;  // the number was given to another process
  auto other_boot = living_parent();
  other_boot.boot = "another";
  for (auto const& process : {dead, other_boot, os::ProcessId{2'000'000'000, 1, os::boot_id()}})
    os::write_file(fleet_file(scratch / ".", process), "1 2 3\n");
  os::write_file(scratch / ("." + os::to_text(dead) + ".fleet.a1b2c3"), "1 2");  // killed while it wrote
  os::write_file(scratch / "notes.txt", "of somebody");
  CHECK(here.read().empty());
  CHECK(names_in(scratch / ".") == 1);
  CHECK(fs::exists(scratch / "notes.txt"));
}

TEST_CASE("NeighbourFiles.WhatNoServerWritesCountsForNothing") {
  test::Scratch scratch;
  NeighbourFiles here{scratch / "."};
  auto const file = fleet_file(scratch / ".", living_parent());
  for (std::string const& text :
       {std::string{}, std::string{"1 2"}, std::string{"1 2 3"}, std::string{"1 2 3 4\n"},
        std::string{"-1 2 3\n"}, std::string{"1 2 99999999999999999999999\n"},
        std::string{"1 2 9223372036854775807\n"}, std::string{"1  2 3\n"}, std::string{"a b c\n"},
        std::string{"1 2 3\n\0", 7}, std::string{"1,2,3\n"}, std::string{"0x1 2 3\n"},
        std::string(1'000'000, '1'), "1 2 3\n" + std::string(1'000'000, ' ')}) {
    CAPTURE(text.substr(0, 40));
    os::write_file(file, text);
    CHECK(here.read().empty());
  }
  fs::remove(file);
  fs::create_symlink("elsewhere", file);
  os::write_file(scratch / "elsewhere", "1 2 3\n");
  CHECK(here.read().empty());
  fs::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);  // nobody writes to it
  CHECK(here.read().empty());
  fs::remove(file);
  fs::create_directory(file);
  CHECK(here.read().empty());
  for (auto const* name : {"x.fleet", "1@2.fleet", "@@.fleet", "-1@2@3.fleet", "99999999999999@1@b.fleet"})
    os::write_file(scratch / name, "1 2 3\n");
  CHECK(here.read().empty());
}

TEST_CASE("NeighbourFiles.ManyFilesAreBounded") {
  test::Scratch scratch;
  NeighbourFiles here{scratch / "."};
  auto const process = os::to_text(living_parent());
  for (int i = 0; i < 200; ++i)
    os::write_passing_file(scratch / (process + ".fleet" + std::to_string(i) + ".fleet"), "1 2 3\n");
  CHECK(here.read().size() <= 64);
}

TEST_CASE("NeighbourFiles.WithoutAUsableDirectoryThereAreNoNeighbours") {
  test::Scratch scratch;
  for (auto const& directory : {fs::path{}, scratch / "missing"}) {
    NeighbourFiles files{directory};
    files.publish({1, 2, 3});
    CHECK(files.read().empty());
  }
}

TEST_CASE("NeighbourFiles.OfTwoServersTheCauseEndsItsRunAndTheOtherOneEndsNone") {
  test::Scratch scratch;
  struct Host {
    Host(fs::path const& shared, os::ProcessId self) : files(shared, std::move(self)) {}
    std::int64_t held() const {
      std::int64_t out = 0;
      for (auto const& run : runs) out += run.bytes;
      return out;
    }
    void publish() { files.publish({std::ssize(runs), held(), held()}); }
    void look(std::int64_t free, core::Duration now) {
      runner::MemoryFigures figures{24 * kGibibyte, free, runs, {}};
      for (auto const& fleet : files.read()) figures.neighbours.push_back(fleet.held);
      auto const decision = watch.decide(figures, now);
      if (decision.action == MemoryAction::end) {
        ++ended;
        std::erase_if(runs, [&](auto const& run) { return run.run == decision.run; });
      } else if (decision.action != MemoryAction::none) {
        std::ranges::find(runs, decision.run, &runner::MemoryOfRun::run)->is_frozen =
            decision.action == MemoryAction::freeze;
      }
    }
    NeighbourFiles files;
    std::vector<runner::MemoryOfRun> runs;
    runner::MachineWatch watch;
    int ended = 0;
  };
  Host small{scratch / ".", os::own_identity()};
  Host large{scratch / ".", living_parent()};
  small.runs = {{1, 188LL << 20U}, {2, 1700LL << 20U}, {3, 700LL << 20U}};
  for (int id = 1; id <= 6; ++id) large.runs.push_back({core::RunId{id}, 3 * kGibibyte});
  auto const free = [&] { return 21 * kGibibyte - small.held() - large.held(); };
  for (core::Duration now{}; now < 120s; now += 250ms) {
    small.publish();
    large.publish();
    small.look(free(), now);
    large.look(free(), now);
  }
  CHECK(small.ended == 0);
  CHECK(large.ended == 1);
  CHECK(std::ranges::none_of(small.runs, &runner::MemoryOfRun::is_frozen));
}
