#include "runner/supervision/run_cgroup.hpp"

#include <csignal>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/processes/adopted_children.hpp"
#include "os/processes/process.hpp"
#include "runner/supervision/supervised_run.hpp"
#include "runner/supervision/sweep.hpp"

using namespace andon;
using namespace andon::runner;
using test::SupervisedRun;

namespace {

using Words = std::vector<std::string>;

doctest::skip without_a_tree() { return doctest::skip(!os::delegated_cgroup()); }

/// It leaves a process in a session of its own, without the run's variables and without its input.
struct Hiding : SupervisedRun {
  Hiding() : SupervisedRun(Words{"/bin/sh", "-c", "", "hiding"}) {
    spec.argv[2] = "env -i setsid /bin/sh -c 'echo $$ > " + (*this / "pipe").native() +
                   "; sleep 600; exit' < /dev/null > /dev/null 2>&1 & exec sleep 600";
  }
};

}  // namespace

TEST_CASE("RunCgroup.IsThereWhileTheRunLasts" * without_a_tree()) {
  SupervisedRun run{"setsid_grandchild"};
  run.start();
  auto const pids = run.wait_for(3);
  auto const left = [about = run.target()] {
    return left_cgroup(about.cgroups, about.run, *about.supervisor);
  };
  auto const group = left();
  REQUIRE(group);
  CHECK(group->size() == 3);
  for (auto const pid : pids)
    CHECK(os::read_file("/proc/" + std::to_string(pid) + "/cgroup", 1U << 16U)
              .contains(group->directory().filename().native()));
  run.signal(SIGTERM);
  run.end();
  CHECK(run.survivors() == 0);
  CHECK_FALSE(left());
}

TEST_CASE("RunCgroup.WeighsLessThanTheServerWhereNobodySetAWeight" * without_a_tree()) {
  CHECK(core::cpu_weight_of({}) == 50);
  CHECK(core::cpu_weight_of({.cpu_weight = 200}) == 200);
  SupervisedRun run{"setsid_grandchild"};
  run.start();
  run.wait_for(3);
  auto const about = run.target();
  auto const weight = left_cgroup(about.cgroups, about.run, *about.supervisor)->directory() / "cpu.weight";
  // A tree without the controller for processors has no such file.
  if (std::filesystem::exists(weight)) CHECK(os::read_file(weight, 64) == "50\n");
  run.signal(SIGTERM);
  run.end();
}

TEST_CASE("RunCgroup.ChecksAreBornInItToo" * without_a_tree()) {
  SupervisedRun run{Words{"/bin/true"}};
  run.spec.checks = {{"where", {"/bin/cat", "/proc/self/cgroup"}}};
  run.start();
  CHECK(run.end().checks.at(0).output.contains("/andon-run-7-"));
}

TEST_CASE("RunCgroup.SweepingFindsWhoHasHiddenItsOrigin" * without_a_tree()) {
  Hiding run;
  run.start();
  auto const hidden = *os::identify(run.wait_for(1).front());
  run.kill_supervisor();
  CHECK(os::is_alive(hidden));
  auto const about = run.target();
  CHECK(sweep_run(about).is_empty);
  CHECK_FALSE(os::is_alive(hidden));
  CHECK_FALSE(left_cgroup(about.cgroups, about.run, *about.supervisor));
}

TEST_CASE("RunCgroup.WhoHasHiddenItsOriginComesToWhoAdoptsOrphans") {
  os::adopt_orphans();
  Hiding run;
  run.start();
  auto const hidden = *os::identify(run.wait_for(1).front());
  run.kill_supervisor();
  auto about = run.target();
  about.cgroups.clear();
  about.with_adopted = true;
  CHECK(sweep_run(about).is_empty);
  CHECK_FALSE(os::is_alive(hidden));
}

TEST_CASE("RunCgroup.EmptyOnesOfDeadSupervisorsAreRemoved") {
  test::Scratch const place;
  auto const own = os::own_identity();
  auto gone = own;
  gone.started += 1;
  auto const of = [&](os::ProcessId const& id) { return place / ("andon-run-7-" + os::to_text(id)); };
  for (auto const& path : {of(own), of(gone), place / "andon-other", place / "andon-run-7"})
    std::filesystem::create_directory(path);
  // A plain directory has no word of the kernel: it is not known to be empty, and stays.
  remove_left_cgroups(place.path());
  CHECK(std::filesystem::exists(of(gone)));
}

TEST_CASE("RunCgroup.ALeftGroupOfTheTreeIsRemoved" * without_a_tree()) {
  auto const parent = *os::delegated_cgroup();
  auto const own = os::own_identity();
  auto gone = own;
  gone.started += 1;
  auto const left = os::make_cgroup(parent, "andon-run-7-" + os::to_text(gone));
  auto const used = os::make_cgroup(parent, "andon-run-8-" + os::to_text(own));
  remove_left_cgroups(parent);
  CHECK_FALSE(left.is_there());
  CHECK(used.is_there());
  used.remove();
}
