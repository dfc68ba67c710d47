#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/processes/process_table.hpp"
#include "runner/supervision/supervised_run.hpp"
#include "runner/worktrees/git_place.hpp"

using namespace andon;
using namespace andon::runner;
using test::SupervisedRun;

namespace {

using Words = std::vector<std::string>;

/// A run whose agent does that, and the checks that come after it.
struct Checked : SupervisedRun {
  explicit Checked(std::string const& agent, std::vector<CheckSpec> checks)
      : SupervisedRun(Words{"/bin/sh", "-c", agent}) {
    spec.checks = std::move(checks);
    spec.check_env = {"PATH=/usr/bin:/bin", "ANDON_RUN_DIR=" + dir().native(),
                      "ZOO_PIPE=" + (*this / "pipe").native()};
  }
};

CheckSpec check(std::string name, std::string script) {
  return {std::move(name), {"sh", "-c", std::move(script)}};
}
CheckSpec zoo(std::string const& program) { return {program, {std::string{ANDON_ZOO} + "/" + program}}; }

}  // namespace

TEST_CASE("Check.AllRunInTheWorkTreeAndTellHowTheyEnded") {
  Checked run("echo 1 >made", {check("made", "cat made"),
                               check("unit", "echo 2 of 9 failed; echo aside >&2; exit 3"),
                               check("signal", "kill -9 $$"),
                               {"gone", {"no-such-program-here"}}});
  run.start();
  auto const end = run.end();
  REQUIRE(end.checks.size() == 4);
  CHECK(end.checks[0].passed);
  CHECK(end.checks[0].output == "1\n");
  CHECK_FALSE(end.checks[1].passed);
  CHECK(end.checks[1].exit->code == 3);
  CHECK(end.checks[1].output == "2 of 9 failed\naside\n");
  CHECK(end.checks[2].exit->signal == SIGKILL);
  CHECK(end.checks[3].output.find("not installed") != std::string::npos);
}

TEST_CASE("Check.ThatFailsByItselfIsRunOnceMoreInTheSameTree") {
  auto const counted = [](std::string const& name, std::string const& then) {
    return check(name, "echo run >>" + name + "; " + then + "; cat " + name);
  };
  Checked run("true", {counted("flaky", "[ $(wc -l <flaky) = 2 ] || { echo seed 7; exit 1; }"),
                       counted("broken", "[ $(wc -l <broken) = 9 ] || { wc -l <broken; exit 1; }"),
                       counted("fine", "true"), check("killed", "echo run >>killed; kill -9 $$"),
                       check("kills", "cat killed")});
  run.start();
  auto const end = run.end();
  REQUIRE(end.checks.size() == 5);
  CHECK(end.checks[0].passed);
  CHECK(end.checks[0].flaky);
  CHECK(end.checks[0].output == "seed 7\n");
  CHECK_FALSE(end.checks[1].passed);
  CHECK_FALSE(end.checks[1].flaky);
  CHECK(end.checks[1].output == "2\n");
  CHECK(end.checks[2].passed);
  CHECK_FALSE(end.checks[2].flaky);
  CHECK(end.checks[2].output == "run\n");
  CHECK_FALSE(end.checks[3].passed);
  CHECK(end.checks[4].output == "run\n");
}

TEST_CASE("Check.OutputIsCappedAtItsEndAndHoldsNoSecret") {
  Checked run("true", {check("loud", "seq 200000; echo secret-of-the-run; echo the end")});
  run.start();
  auto const end = run.end();
  REQUIRE(end.checks.size() == 1);
  CHECK(end.checks[0].output.size() <= 16U << 10U);
  CHECK(end.checks[0].output.ends_with("[redacted]\nthe end\n"));
}

TEST_CASE("Check.ATimeLimitEndsIt") {
  Checked run("true", {check("slow", "echo begun; sleep 600")});
  run.spec.check_limit = core::Duration{200};
  run.start();
  auto const end = run.end();
  CHECK_FALSE(end.stopped);
  REQUIRE(end.checks.size() == 1);
  CHECK_FALSE(end.checks[0].passed);
  CHECK(end.checks[0].output.find("begun\n\nit took longer than") == 0);
}

TEST_CASE("Check.ItIsKilledWithItsRunAndLeavesNothing") {
  for (auto const* program : {"setsid_grandchild", "ignores_term"}) {
    Checked run("true", {zoo(program)});
    run.start();
    run.wait_for(1);
    run.signal(SIGTERM);
    auto const end = run.end();
    INFO(program);
    CHECK(end.stopped == StopReason::killed);
    CHECK(end.checks.empty());
    CHECK(run.survivors() == 0);
  }
}

TEST_CASE("Check.AFrozenOneGoesOnWhenItsRunIsThawed") {
  Checked run("true", {check("slow", "echo $$ >\"$ZOO_PIPE\"; read -r line <go; echo \"$line\"")});
  REQUIRE(::mkfifo((run / "work/go").c_str(), 0600) == 0);
  run.start();
  auto const pids = run.wait_for(1);
  run.signal(SIGTSTP);
  auto const state = [&] {
    for (auto const& row : os::process_table())
      if (row.pid == pids.front()) return row.state;
    return 'X';
  };
  while (state() != 'T') std::this_thread::yield();
  run.signal(SIGCONT);
  {
    os::Descriptor const go{::open((run / "work/go").c_str(), O_WRONLY | O_CLOEXEC)};
    REQUIRE(::write(go.get(), "went on\n", 8) == 8);
  }
  auto const end = run.end();
  REQUIRE(end.checks.size() == 1);
  CHECK(end.checks[0].output == "went on\n");
}

TEST_CASE("Check.WhatItLeavesBehindIsEnded") {
  Checked run("true", {check("leaver", "setsid sleep 600 & echo fine")});
  run.start();
  auto const end = run.end();
  REQUIRE(end.checks.size() == 1);
  CHECK(end.checks[0].passed);
  CHECK(run.survivors() == 0);
}

TEST_CASE("Check.ItRunsAfterAnAgentThatReportedHoweverThatEnded") {
  Checked reported("exit 1", {check("unit", "true")});
  reported.answer("reported");
  reported.start();
  CHECK(reported.end().checks.size() == 1);
  Checked failed("exit 1", {check("unit", "true")});
  failed.start();
  CHECK(failed.end().checks.empty());
}

TEST_CASE("Check.ASilentAgentThatReportedBetweenTwoHeartbeatsHasNotHung") {
  Checked run("sleep 600", {check("unit", "true")});
  run.spec.limits.heartbeat = core::Duration{600'000};
  run.spec.timeouts.silence_s = 1;
  run.start();
  run.answer("reported");
  auto const end = run.end();
  CHECK(end.stopped == StopReason::reported);
  CHECK(end.checks.size() == 1);
}

TEST_CASE("Check.ACancelledRunHasNone") {
  Checked run("true", {check("slow", "echo $$ >\"$ZOO_PIPE\"; sleep 600")});
  run.start();
  run.wait_for(1);
  run.answer("cancelled");
  auto const end = run.end();
  CHECK(end.stopped == StopReason::cancelled);
  CHECK(end.checks.empty());
}

TEST_CASE("Supervise.ARunInAWorkTreeLeavesItsWorkAsCommits") {
  test::GitPlace place;
  SupervisedRun run{Words{"/bin/sh", "-c", "pwd; echo two >a.txt"}};
  run.spec.worker = "developer";
  run.spec.workspace = place.workspace("42-cart");
  run.spec.records = place.data.repositories();
  run.spec.cwd = run.spec.workspace->directory;
  run.spec.checks = {check("two", "git status --porcelain; grep two a.txt")};
  run.spec.check_env = {"PATH=/usr/bin:/bin"};
  run.start();
  auto const end = run.end();
  CHECK(end.branch == "andon/42-cart");
  CHECK(end.base == place.head());
  CHECK(end.head == place.kept("andon/42-cart"));
  CHECK(end.commits == std::vector<std::string>{end.head});
  CHECK(end.files_changed == 1);
  REQUIRE(end.checks.size() == 1);
  CHECK(end.checks[0].output == "two\n");
}

TEST_CASE("Supervise.WithoutAWorkTreeTheAgentDoesNotStart") {
  SupervisedRun run{Words{"/bin/sh", "-c", "touch ran"}};
  run.spec.workspace = WorkspaceSpec{
      .repo = run / "clone", .directory = run / "tree", .origin = run / "nowhere", .data = run / "data"};
  run.spec.cwd = run / "tree";
  run.start();
  auto const end = run.end();
  CHECK(end.error_class == ErrorClass::workspace);
  CHECK(end.error.find("is not there") != std::string::npos);
  CHECK_FALSE(end.exit);
}
