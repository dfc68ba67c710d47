#include "os/processes/process.hpp"

#include <csignal>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/process_table.hpp"
#include "os/processes/program.hpp"
#include "os/system_error.hpp"
#include "support/scratch.hpp"

using namespace andon;

namespace {

os::Command shell(std::string script) {
  return {.program = "/bin/sh", .argv = {"sh", "-c", std::move(script)}, .env = {"PATH=/usr/bin:/bin"}};
}

}  // namespace

TEST_CASE("Process.ItsOutputAndExitCodeAreCaptured") {
  auto const done = os::capture(shell("echo out; echo aside >&2; exit 3"));
  CHECK(done.out == "out\naside\n");
  CHECK(done.status.code == 3);
  CHECK_FALSE(done.timed_out);
}

TEST_CASE("Process.DeathBySignalIsToldFromAnExitCode") {
  auto const done = os::capture(shell("kill -TERM $$"));
  CHECK(done.status.signal == SIGTERM);
  CHECK_FALSE(done.status.code);
}

TEST_CASE("Process.IsKilledAtItsTimeLimit") {
  auto const done =
      os::capture(shell("trap '' TERM; while :; do sleep 60; done"), {.time = core::Duration{50}});
  CHECK(done.timed_out);
  CHECK(done.status.signal == SIGKILL);
}

TEST_CASE("Process.OutputBeyondTheLimitIsDropped") {
  auto const done = os::capture(shell("head -c 1000000 /dev/zero"), {.bytes = 1000});
  CHECK(done.out.size() == 1000);
  CHECK(done.status.code == 0);
}

TEST_CASE("Process.GetsItsDirectoryEnvironmentAndThreeDescriptorsOnly") {
  test::Scratch const scratch;
  auto const leak = os::make_pipe();
  auto command = shell("pwd; env | grep -c .; ls /proc/self/fd | wc -l");
  command.cwd = scratch.path();
  command.env.push_back("A=b c");
  auto const done = os::capture(command);
  CHECK(done.out.starts_with(std::filesystem::canonical(scratch.path()).native() + "\n"));
  CHECK(done.out.ends_with("\n4\n"));  // the three and the one `ls` reads with
}

TEST_CASE("Process.SignalsIgnoredByUsAreNotIgnoredInIt") {
  auto const before = ::signal(SIGPIPE, SIG_IGN);
  auto const done = os::capture(shell("kill -PIPE $$; echo alive"));
  ::signal(SIGPIPE, before);
  CHECK(done.status.signal == SIGPIPE);
}

TEST_CASE("Process.AMissingProgramIsAnErrorThatNamesIt") {
  try {
    os::spawn({.program = "/nowhere/agent", .argv = {"agent"}});
    FAIL("must not start");
  } catch (os::SystemError const& error) {
    CHECK(error.number() == ENOENT);
    CHECK(std::string{error.what()}.find("/nowhere/agent") != std::string::npos);
  }
}

TEST_CASE("ProcessId.SurvivesItsTextForm") {
  auto const own = os::own_identity();
  CHECK(os::parse_process(os::to_text(own)) == own);
  CHECK(os::is_alive(own));
  for (auto const* bad : {"", "12", "12@", "x@1@b", "-1@1@b", "0@1@b", "1@x@b"})
    CHECK_FALSE(os::parse_process(bad));
}

TEST_CASE("ProcessId.AnotherStartOrBootIsAnotherProcess") {
  auto other = os::own_identity();
  other.started += 1;
  CHECK_FALSE(os::is_alive(other));
  CHECK_FALSE(os::send_signal(other, SIGKILL));
  other = os::own_identity();
  other.boot = "another";
  CHECK_FALSE(os::is_alive(other));
  CHECK_FALSE(os::send_signal(other, SIGKILL));
}

TEST_CASE("ProcessId.AZombieIsNotAlive") {
  auto const child = os::spawn(shell("read line"));  // /dev/null ends it at once
  pollfd ended{child.handle.get(), POLLIN, 0};
  REQUIRE(::poll(&ended, 1, 10'000) == 1);
  auto const id = os::identify(child.pid);
  REQUIRE(id);
  CHECK_FALSE(os::is_alive(*id));
  CHECK(os::reap(child.pid).code.has_value());
  CHECK_FALSE(os::identify(child.pid));
}

TEST_CASE("ProcessTable.KnowsSessionParentAndEnvironment") {
  auto in = os::make_pipe();
  auto out = os::make_pipe();
  auto command = shell("echo; read line");
  command.env.push_back("MARK=here");
  command.in = in.read.get();
  command.out = out.write.get();
  auto const child = os::spawn(command);
  char started = 0;
  REQUIRE(::read(out.read.get(), &started, 1) == 1);
  auto const row = os::process_row(child.pid);
  REQUIRE(row);
  CHECK(row->parent == ::getpid());
  CHECK(row->session == child.pid);
  CHECK(row->group == child.pid);
  CHECK(os::was_started_with(child.pid, "MARK=here"));
  CHECK_FALSE(os::was_started_with(child.pid, "MARK=her"));
  CHECK(os::own_children().size() == 1);
  CHECK(os::send_signal(*os::identify(child.pid), SIGKILL));
  CHECK(os::reap(child.pid).signal == SIGKILL);
}

TEST_CASE("Program.IsFoundOnThePathOnly") {
  CHECK(os::find_program("sh", "/nowhere:/bin") == "/bin/sh");
  CHECK_FALSE(os::find_program("sh", "/nowhere"));
  CHECK_FALSE(os::find_program("sh", ""));
  CHECK(os::find_program("/bin/sh", "") == "/bin/sh");
  CHECK_FALSE(os::find_program("/etc/passwd", ""));
}

TEST_CASE("Process.AScriptThatCannotBeExecutedIsToldWhatItLacks") {
  test::Scratch const place;
  os::write_file(place / "bare", "echo no first line\n", 0700);
  os::write_file(place / "lost", "#!/no/such/interpreter\n", 0700);
  CHECK_THROWS_WITH_AS(os::spawn({.program = place / "bare", .argv = {"bare"}}),
                       doctest::Contains("a script begins with a line such as #!/bin/sh"), os::SystemError);
  CHECK_THROWS_WITH_AS(os::spawn({.program = place / "lost", .argv = {"lost"}}),
                       doctest::Contains("the program that its first line names is not there"),
                       os::SystemError);
}

TEST_CASE("Process.ThatHidesItsMemoryLeavesNoCore") {
  auto const child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    os::hide_memory();
    rlimit core{1, 1};
    ::getrlimit(RLIMIT_CORE, &core);
    bool const is_hidden =
        ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 && core.rlim_cur == 0 && core.rlim_max == 0;
    ::_exit(is_hidden ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}
