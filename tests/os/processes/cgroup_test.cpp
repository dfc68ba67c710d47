#include "os/processes/cgroup.hpp"

#include <csignal>
#include <poll.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/process.hpp"
#include "os/system_error.hpp"
#include "support/scratch.hpp"

using namespace andon;
using os::Cgroup;

namespace {

constexpr core::Duration kDeadline{30'000};  // no test passes or fails by it unless something hangs

/// A sleeping child that its end kills.
struct Sleeper {
  os::Child child = os::spawn({.program = "/bin/sleep", .argv = {"sleep", "600"}});
  Sleeper() = default;
  Sleeper(Sleeper const&) = delete;
  ~Sleeper() {
    ::kill(child.pid, SIGKILL);
    os::reap(child.pid);
  }
  bool was_killed() const {
    pollfd ended{child.handle.get(), POLLIN, 0};
    return ::poll(&ended, 1, static_cast<int>(kDeadline.count())) == 1;
  }
  bool lives() const { return os::is_alive(*os::identify(child.pid)); }
};

/// A group of the kernel's own.
struct Place {
  Cgroup group = os::make_cgroup(*os::delegated_cgroup(), "andon-test-" + std::to_string(::getpid()));
  Place() = default;
  Place(Place const&) = delete;
  ~Place() {
    if (group.end(kDeadline)) group.remove();
  }
};

/// Those that need the kernel's tree are skipped where this process may make no group in one.
doctest::skip without_a_tree() { return doctest::skip(!os::delegated_cgroup()); }

/// Starts a script in the group and waits until it has said something.
os::Child start(Cgroup const& group, std::string script) {
  auto pipe = os::make_pipe();
  auto const opened = group.open();
  auto child = os::spawn({.program = "/bin/sh",
                          .argv = {"sh", "-c", std::move(script)},
                          .env = {"PATH=/usr/bin:/bin"},
                          .out = pipe.write.get(),
                          .cgroup = opened.get()});
  pipe.write.reset();
  char word = 0;
  REQUIRE(::read(pipe.read.get(), &word, 1) == 1);
  return child;
}

constexpr std::string_view kUnified =
    "22 1 0:20 / /proc rw - proc proc rw\n"
    "30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
constexpr std::string_view kHybrid =
    "29 25 0:25 / /sys/fs/cgroup ro - tmpfs tmpfs ro\n"
    "31 29 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
    "30 29 0:26 / /sys/fs/cgroup/unified rw shared:4 - cgroup2 cgroup2 rw\n";

}  // namespace

TEST_CASE("CgroupDirectory.IsFoundInTheUnifiedAndTheHybridTree") {
  CHECK(os::cgroup_directory(kUnified, "0::/user.slice/a.service\n") ==
        "/sys/fs/cgroup/user.slice/a.service");
  CHECK(os::cgroup_directory(kHybrid, "8:pids:/x\n1:name=systemd:/y\n0::/z\n") == "/sys/fs/cgroup/unified/z");
  CHECK(os::cgroup_directory(kHybrid, "0::/\n") == "/sys/fs/cgroup/unified");
}

TEST_CASE("CgroupDirectory.IsRelativeToWhatAContainerShows") {
  constexpr std::string_view kContainer = "30 29 0:26 /box/one /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  CHECK(os::cgroup_directory(kContainer, "0::/box/one\n") == "/sys/fs/cgroup");
  CHECK(os::cgroup_directory(kContainer, "0::/box/one/in\n") == "/sys/fs/cgroup/in");
  CHECK_FALSE(os::cgroup_directory(kContainer, "0::/box/one-more\n"));
  CHECK_FALSE(os::cgroup_directory(kContainer, "0::/elsewhere\n"));
}

TEST_CASE("CgroupDirectory.IsNothingWithoutATreeOrAName") {
  CHECK_FALSE(os::cgroup_directory("", "0::/\n"));
  CHECK_FALSE(os::cgroup_directory(kUnified, "8:pids:/x\n"));
  CHECK_FALSE(os::cgroup_directory(kUnified, "0::/../x\n"));
  CHECK_FALSE(os::cgroup_directory("30 29 0:26 /\nx - cgroup2", "0::/\n"));
}

TEST_CASE("CgroupDirectory.ReadsEscapedBlanks") {
  CHECK(os::cgroup_directory("30 29 0:26 / /my\\040tree rw - cgroup2 a rw\n", "0::/x\n") == "/my tree/x");
}

TEST_CASE("Cgroup.KillUsesTheSwitchWhereThereIsOne") {
  test::Scratch const place;
  Sleeper const listed;
  os::write_file(place / "cgroup.kill", "");
  os::write_file(place / "cgroup.procs", std::to_string(listed.child.pid) + "\n");
  Cgroup{place.path()}.kill();
  CHECK(os::read_file(place / "cgroup.kill", 16) == "1");
  CHECK(listed.lives());
}

TEST_CASE("Cgroup.KillWithoutASwitchStopsThenKillsEveryMember") {
  test::Scratch const place;
  Sleeper const outer;
  Sleeper const inner;
  Sleeper const other;
  std::filesystem::create_directory(place / "sub");
  os::write_file(place / "cgroup.freeze", "");
  os::write_file(place / "cgroup.procs", std::to_string(outer.child.pid) + "\n");
  os::write_file(place / "sub/cgroup.procs", std::to_string(inner.child.pid) + "\n");
  Cgroup const group{place.path()};
  CHECK(group.size() == 2);
  group.kill();
  CHECK(os::read_file(place / "cgroup.freeze", 16) == "1");
  CHECK(outer.was_killed());
  CHECK(inner.was_killed());
  CHECK(other.lives());
}

TEST_CASE("Cgroup.IsEmptyWhenTheKernelSaysSoOrItIsGone") {
  test::Scratch const place;
  Cgroup const group{place / "group"};
  CHECK(group.is_empty());
  std::filesystem::create_directory(group.directory());
  CHECK_FALSE(group.is_empty());
  os::write_file(group.directory() / "cgroup.events", "populated 1\nfrozen 0\n");
  CHECK_FALSE(group.is_empty());
  os::write_file(group.directory() / "cgroup.events", "populated 0\nfrozen 0\n");
  CHECK(group.is_empty());
}

TEST_CASE("Cgroup.LetsNewMembersRunOnceTheLastOneIsGone") {
  test::Scratch const place;
  os::write_file(place / "cgroup.freeze", "1");
  os::write_file(place / "cgroup.events", "populated 0\n");
  CHECK(Cgroup{place.path()}.end(core::Duration{1}));
  CHECK(os::read_file(place / "cgroup.freeze", 16) == "0");
}

TEST_CASE("DelegatedCgroup.SaysWhyThereIsNone") {
  constexpr pid_t kNobody = 4'194'304;  // the kernel gives no number as high
  auto const none = os::delegated_cgroup(kNobody);
  REQUIRE_FALSE(none);
  CHECK(none.error().contains("/proc/4194304/"));
  if (auto const own = os::delegated_cgroup(); !own) CHECK_FALSE(own.error().empty());
}

TEST_CASE("Cgroup.EndSaysWhenSomebodyWouldNotDie") {
  test::Scratch const place;
  os::write_file(place / "cgroup.events", "populated 1\n");
  CHECK_FALSE(Cgroup{place.path()}.end(core::Duration{1}));
}

TEST_CASE("Cgroup.IsRemovedWithTheGroupsOfItsMembers") {
  test::Scratch const place;
  std::filesystem::create_directories(place / "group/sub/deep");
  CHECK(Cgroup{place / "group"}.remove());
  CHECK_FALSE(std::filesystem::exists(place / "group"));
}

TEST_CASE("Cgroup.OneKillEndsAStormInManySessions" * without_a_tree()) {
  Place const place;
  auto const child =
      start(place.group,
            "storm() { while :; do setsid sleep 60 & done; }\n"
            "trap '' TERM INT HUP; storm & setsid sh -c 'while :; do setsid sleep 60 & sleep 0.01; done' &\n"
            "echo here; wait");
  place.group.kill();
  CHECK(place.group.end(kDeadline));
  CHECK(os::reap(child.pid).signal == SIGKILL);
  CHECK(place.group.size() == 0);
}

TEST_CASE("Cgroup.ItsMembersAreBornInIt" * without_a_tree()) {
  Place const place;
  auto const child = start(place.group, "echo here; exec sleep 600");
  auto const groups = os::read_file("/proc/" + std::to_string(child.pid) + "/cgroup", 1U << 16U);
  CHECK(groups.contains(place.group.directory().filename().native()));
  CHECK_FALSE(place.group.remove());
  CHECK(place.group.end(kDeadline));
  CHECK(place.group.remove());
  os::reap(child.pid);
}

TEST_CASE("Cgroup.AProgramThatIsNotThereIsToldAsEverywhere" * without_a_tree()) {
  Place const place;
  auto const opened = place.group.open();
  CHECK_THROWS_WITH_AS(os::spawn({.program = "/no/such", .argv = {"such"}, .cgroup = opened.get()}),
                       doctest::Contains("/no/such"), os::SystemError);
  CHECK(place.group.is_empty());
}

TEST_CASE("Cgroup.AMemberGetsTheSameAsEveryProcess" * without_a_tree()) {
  Place const place;
  test::Scratch const scratch;
  auto const opened = place.group.open();
  auto out = os::make_pipe();
  auto const child = os::spawn({.program = "/bin/sh",
                                .argv = {"sh", "-c",
                                         "pwd; echo $A; ls /proc/self/fd | wc -l; "
                                         "grep -E '^Sig(Blk|Ign)' /proc/self/status; ps -o sid= -p $$"},
                                .env = {"PATH=/usr/bin:/bin", "A=b c"},
                                .cwd = scratch.path(),
                                .out = out.write.get(),
                                .cgroup = opened.get()});
  out.write.reset();
  std::string said;
  char part[512];
  for (ssize_t n = 0; (n = ::read(out.read.get(), part, sizeof part)) > 0;)
    said.append(part, static_cast<std::size_t>(n));
  CHECK(os::reap(child.pid).code == 0);
  CHECK(said.starts_with(std::filesystem::canonical(scratch.path()).native() + "\nb c\n4\n"));
  CHECK(said.contains("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"));
  CHECK(said.contains(std::to_string(child.pid)));
}
