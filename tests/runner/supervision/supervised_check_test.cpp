#include "runner/supervision/supervised_check.hpp"

#include <algorithm>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/confinement.hpp"
#include "os/processes/own_terminals.hpp"
#include "os/processes/process.hpp"
#include "os/processes/process_table.hpp"
#include "reflect/json.hpp"
#include "runner/supervision/survivors.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;
using namespace std::chrono_literals;

namespace {

/// A check that starts processes of every shape that may outlive it, and what it is run with.
struct Cage {
  explicit Cage(std::string const& script) {
    os::make_private_directory(run_dir);
    check.check = {"tests", {"/bin/sh", "-c", script}};
    check.directory = scratch.path();
    check.env = {"PATH=/usr/bin:/bin", "ANDON_RUN_DIR=" + run_dir.native()};
    check.limit = 60s;
  }
  core::CheckResult run(std::function<bool()> should_stop = [] { return false; }) const {
    return run_supervised(check, {ANDON_SUPERVISE, run_dir, -1, std::move(should_stop)});
  }

  test::Scratch scratch;
  std::filesystem::path run_dir = scratch / "mark";
  test::Survivors survivors;
  SupervisedCheck check;
};

/// Waits until a script has written to the pipe.
void wait_for_news(os::Descriptor const& pipe) {
  pollfd news{pipe.get(), POLLIN, 0};
  REQUIRE(::poll(&news, 1, 30'000) == 1);
}

}  // namespace

TEST_CASE("SupervisedCheck.TellsTheResultOfTheCommand") {
  auto const good = Cage{"echo fine"}.run();
  CHECK(good.passed);
  CHECK(good.name == "tests");
  CHECK(good.output == "fine\n");
  auto const bad = Cage{"echo broken >&2; exit 3"}.run();
  CHECK_FALSE(bad.passed);
  CHECK(bad.exit->code == 3);
  CHECK(bad.output == "broken\n");
}

TEST_CASE("SupervisedCheck.NoProcessOutlivesItsCommand") {
  Cage cage{"true"};
  cage.check.check.argv[2] = cage.survivors.script() + "exit 0";
  CHECK(cage.run().passed);
  CHECK(cage.survivors.count() == 0);
}

TEST_CASE("SupervisedCheck.AStopEndsEverything") {
  Cage cage{"true"};
  cage.check.check.argv[2] = cage.survivors.script() + "sleep 600";
  auto const result = cage.run([&] { return cage.survivors.count() > 0; });
  CHECK_FALSE(result.passed);
  CHECK(cage.survivors.count() == 0);
}

TEST_CASE("SupervisedCheck.EndsWhenTheServerIsKilled") {
  Cage cage{"true"};
  auto const path = cage.scratch / "news";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  os::Descriptor const news{::open(path.c_str(), O_RDWR | O_CLOEXEC)};
  cage.check.check.argv[2] = cage.survivors.script() + "echo up >" + path.native() + "; sleep 600";
  auto input = os::make_pipe();
  auto const child = os::spawn({.program = ANDON_SUPERVISE,
                                .argv = {ANDON_SUPERVISE, "supervise-check"},
                                .env = {"PATH=/usr/bin:/bin"},
                                .cwd = cage.scratch.path(),
                                .in = input.read.get()});
  os::write_all(input.write, reflect::to_json(cage.check) + "\n", "input");
  wait_for_news(news);
  CHECK(cage.survivors.count() == test::Survivors::kShapes);
  input.write.reset();  // as the kernel does for a process that is killed
  os::reap(child.pid);
  CHECK(cage.survivors.count() == 0);
}

TEST_CASE("SupervisedCheck.AKilledSupervisorFailsTheCheckAndIsSwept") {
  Cage cage{"true"};
  cage.check.check.argv[2] = "kill -9 $PPID; sleep 600";
  auto const result = cage.run();
  CHECK_FALSE(result.passed);
  CHECK(result.output == "its supervising process was killed");
  for (auto const& row : os::process_table())
    CHECK_FALSE(
        (row.state != 'Z' && os::was_started_with(row.pid, "ANDON_RUN_DIR=" + cage.run_dir.native())));
}

TEST_CASE("SupervisedCheck.TheSandboxHoldsItsCommand") {
  if (os::confinement_version() == 0) return;
  Cage cage{"true"};
  os::write_file(cage.scratch / "key", "secret");
  auto const work = cage.scratch / "work";
  os::make_private_directory(work);
  cage.check.check.argv[2] = "cat ../key; echo mine >made; touch ../made";
  cage.check.directory = work;
  cage.check.sandbox = sandbox_of({.program = ANDON_SUPERVISE,
                                   .andon_directory = "/usr/bin",
                                   .data = cage.scratch / "data",
                                   .run_dir = cage.run_dir,
                                   .cwd = work,
                                   .environment = cage.check.env,
                                   .folders = {}});
  os::make_private_directory(cage.scratch / "data");
  cage.check.sandbox->changes.erase(std::ranges::remove(cage.check.sandbox->changes, "/tmp").begin(),
                                    cage.check.sandbox->changes.end());
  auto const result = cage.run();
  CHECK(result.output.find("secret") == std::string::npos);
  CHECK(std::filesystem::exists(work / "made"));
  CHECK_FALSE(std::filesystem::exists(cage.scratch / "made"));
}

TEST_CASE("SupervisedCheck.HasTerminalsInItsDirectoryOrAHintWhyNot") {
  if (os::confinement_version() == 0) return;
  Cage cage{"pwd; TERM=dumb script -qec 'tty; pwd; echo $(id -u) >made' /dev/null </dev/null"};
  auto const work = std::filesystem::canonical(cage.scratch.path()) / "work";
  os::make_private_directory(work);
  cage.check.directory = work;
  SandboxNeeds needs{.program = ANDON_SUPERVISE,
                     .andon_directory = "/usr/bin",
                     .data = cage.scratch / "data",
                     .run_dir = cage.run_dir,
                     .cwd = work,
                     .environment = cage.check.env,
                     .folders = {},
                     .profile = "mine"};
  if (os::can_have_own_terminals()) {
    cage.check.sandbox = sandbox_of(needs);
    auto const good = cage.run();
    CHECK(good.passed);
    CHECK(good.output == work.native() + "\n/dev/pts/0\r\n" + work.native() + "\r\n");
    CHECK(os::read_file(work / "made", 100) == std::to_string(::geteuid()) + "\n");
  }
  needs.own_terminals = false;
  cage.check.sandbox = sandbox_of(needs);
  auto const bad = cage.run();
  CHECK_FALSE(bad.passed);
  CHECK(bad.output.contains("\nHint: the sandbox has no terminals"));
  CHECK(bad.output.contains("agent profile \"mine\""));
}
