#include "os/files/directory_watch.hpp"

#include <fstream>
#include <thread>

#include <doctest/doctest.h>

#include "os/system_error.hpp"
#include "support/scratch.hpp"

using namespace andon;
using os::DirectoryWatch;

namespace {

constexpr int kDeadline = 30'000;  // ms; no test passes or fails by it unless something hangs

/// The inotify instances that this process has open.
int instances() {
  int count = 0;
  for (auto const& entry : std::filesystem::directory_iterator{"/proc/self/fd"}) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) == "anon_inode:inotify") ++count;
  }
  return count;
}

void write(std::filesystem::path const& path) { std::ofstream{path} << "text"; }

}  // namespace

TEST_CASE("DirectoryWatch.TellsNamesUnderTheirKey") {
  test::Scratch const first;
  test::Scratch const second;
  DirectoryWatch watch;
  watch.add(1, first.path());
  watch.add(2, second.path());
  write(first / "a");
  auto const touched = watch.take();
  REQUIRE(touched.size() == 1);
  CHECK(touched.at(1).names == std::set<std::string>{"a"});
  CHECK_FALSE(touched.at(1).everything);
  CHECK(watch.take().empty());
}

TEST_CASE("DirectoryWatch.ARemovedDirectoryIsSilent") {
  test::Scratch const scratch;
  DirectoryWatch watch;
  watch.add(1, scratch.path());
  write(scratch / "a");
  watch.remove(1);
  write(scratch / "b");
  CHECK(watch.take().empty());
}

TEST_CASE("DirectoryWatch.ADirectoryThatGoesIsEverything") {
  test::Scratch const scratch;
  std::filesystem::create_directory(scratch / "tasks");
  DirectoryWatch watch;
  watch.add(1, scratch / "tasks");
  std::filesystem::remove(scratch / "tasks");
  CHECK(watch.take().at(1).everything);
}

TEST_CASE("DirectoryWatch.TakesNothingFromTheKernelBeforeTheFirstDirectory") {
  auto const before = instances();
  DirectoryWatch watch;
  CHECK(instances() == before);
  CHECK(watch.take().empty());
  CHECK_FALSE(watch.wait(0));
  test::Scratch const scratch;
  watch.add(1, scratch.path());
  CHECK(instances() == before + 1);
}

TEST_CASE("DirectoryWatch.WhoWaitsHearsOfADirectoryAddedMeanwhile") {
  test::Scratch const scratch;
  DirectoryWatch watch;
  std::thread waiting{[&] {
    while (!watch.wait(kDeadline)) {
    }
  }};
  watch.add(1, scratch.path());
  write(scratch / "a");
  waiting.join();
  CHECK(watch.take().at(1).names.contains("a"));
}

TEST_CASE("DirectoryWatch.WhatIsNoDirectoryIsRefusedByName") {
  test::Scratch const scratch;
  DirectoryWatch watch;
  try {
    watch.add(1, scratch / "missing");
    FAIL("there is no such directory");
  } catch (os::SystemError const& error) {
    CHECK(std::string{error.what()}.ends_with("missing: No such file or directory"));
  }
}
