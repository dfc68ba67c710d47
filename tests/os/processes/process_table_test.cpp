#include "os/processes/process_table.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

namespace andon {
namespace {

/// A child process that ends at once, and waits for its parent as a zombie.
pid_t start_child_that_ends() {
  auto const child = ::fork();
  if (child == 0) ::_exit(0);
  REQUIRE(child > 0);
  return child;
}

}  // namespace

TEST_CASE("ProcessTable.ArgumentsHaveAZeroByteBehindEach") {
  auto const own = os::arguments_of(::getpid(), 1U << 16U);
  CHECK(own.find("test") != std::string::npos);
  CHECK(own.ends_with('\0'));
  CHECK(os::arguments_of(::getpid(), 3) == own.substr(0, 3));
}

TEST_CASE("ProcessTable.AProcessThatHasEndedHasNoArguments") {
  auto const child = start_child_that_ends();
  siginfo_t ended{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  CHECK(os::arguments_of(child, 100).empty());
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(os::arguments_of(child, 100).empty());
}

// A process can end between opening its file in /proc and reading it; the read then fails (ESRCH).
TEST_CASE("ProcessTable.CanBeReadWhileProcessesEnd") {
  for (int round = 0; round < 200; ++round) {
    auto const child = start_child_that_ends();
    os::visit_processes([](os::ProcessRow const& row) {
      static_cast<void>(os::arguments_of(row.pid, 100));
      static_cast<void>(os::was_started_with(row.pid, "NO=1"));
      static_cast<void>(os::is_between_programs(row));
      static_cast<void>(os::input_of(row.pid));
    });
    REQUIRE(::waitpid(child, nullptr, 0) == child);
  }
}

}  // namespace andon
