#include "os/files/beneath.hpp"

#include <cerrno>
#include <thread>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "support/scratch.hpp"

using namespace andon;

TEST_CASE("FilesBeneath.AreReadUpToTheLimit") {
  test::Scratch const scratch;
  os::write_new_beneath(scratch.path(), "a/b/file", "12345");
  CHECK(os::read_beneath(scratch.path(), "a/b/file", 5) == "12345");
  CHECK(os::read_beneath(scratch.path(), "a/b/file", 1000) == "12345");
  CHECK_FALSE(os::read_beneath(scratch.path(), "a/b/other", 5));
  CHECK_THROWS_AS(os::read_beneath(scratch.path(), "a/b/file", 4), os::SystemError);
  // Files of the kernel tell no size.
  CHECK(os::read_beneath("/proc/self", "cmdline", 100'000) == os::read_file("/proc/self/cmdline", 100'000));
}

TEST_CASE("FilesBeneath.AreMadeWhileTheirEmptyDirectoriesAreRemoved") {
  test::Scratch const scratch;
  constexpr int kTimes = 300;
  auto const come_and_go = [&](std::string const& name) {
    for (int i = 0; i < kTimes; ++i) {
      os::write_new_beneath(scratch.path(), name, "x");
      os::remove_beneath(scratch.path(), name);
    }
  };
  std::jthread other{come_and_go, "a/b/one"};
  come_and_go("a/c/two");
  other.join();
  CHECK_FALSE(os::is_directory_beneath(scratch.path(), "a"));
}
