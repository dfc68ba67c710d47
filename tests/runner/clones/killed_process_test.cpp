// Andon is killed at every fifth call of git in turn, then begins anew. The program that Andon takes for git
// is chosen once in a process, so the acts run in a process of their own, whose git is a script that counts
// its calls and kills the process that called it.

#include <cstdlib>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

#include "os/files/file.hpp"
#include "os/processes/program.hpp"
#include "runner/git/git_environment.hpp"
#include "runner/git/work_place.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/own_repository.hpp"
#include "runner/worktrees/run_work.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace fs = std::filesystem;

namespace {

constexpr char kFolderOfKiller[] = "ANDON_KILLING_GIT";
constexpr int kNoCall = 1'000'000;
constexpr int kStep = 5;

/// The script that stands for git. It kills its caller once, at the call with that number.
std::string killing_git(fs::path const& folder, fs::path const& git) {
  return "#!/bin/sh\nhere=" + folder.native() +
         "\nread n <$here/calls; echo $((n + 1)) >$here/calls; read k <$here/kills\n[ $n = $k ] && { kill -9 "
         "$PPID; exit 1; }\nexec " +
         git.native() + " \"$@\"\n";
}

void kill_at(int call) {
  fs::path const script = std::getenv(kFolderOfKiller);
  os::write_file(script / "calls", "0\n");
  os::write_file(script / "kills", std::to_string(call) + "\n");
}

struct Killed : GitPlace {
  WorkspaceSpec spec = workspace("7-cart");
  fs::path tree{spec.directory};

  void made() {
    auto const place = prepare(spec);
    REQUIRE(place);
    spec.place = *place;
    spec.branch = "andon/7-cart";
  }
  std::string commit() const { return at(tree, "echo two >a.txt; git commit -qam work; git rev-parse HEAD"); }
  std::string leftovers() const {
    return at(scratch.path(),
              "find . -name '.new-*' -o -name 'new-*' -o -name 'tmp_obj*' -o -name 'tmp_pack*' -o -name "
              "'*.keep' -o -path '*/.git/*.lock' -o -path '*/objects/andon-*'");
  }
  std::string state() const {
    return at(tree, "git symbolic-ref --short HEAD; git log --format=%s; git status --porcelain");
  }
};

/// An act of Andon in a place that is made anew each time.
struct Act {
  std::function<void(Killed&)> arrange;
  std::function<bool(Killed&)> act;
  std::function<void(Killed&)> check;
};

/// Whether an act succeeded in a process of its own; nothing when that was killed.
std::optional<bool> in_a_process(std::function<bool()> const& act) {
  auto const child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    try {
      ::_exit(act() ? 0 : 1);
    } catch (...) {
      ::_exit(2);
    }
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? std::optional{WEXITSTATUS(status) == 0} : std::nullopt;
}

void kill_at_calls(Act const& each) {
  for (int call = 0;; call += kStep) {
    CAPTURE(call);
    kill_at(kNoCall);
    Killed place;
    each.arrange(place);
    kill_at(call);
    auto const first = in_a_process([&] { return each.act(place); });
    kill_at(kNoCall);
    CHECK(first.value_or(true));
    if (!first) CHECK(in_a_process([&] { return each.act(place); }) == true);
    each.check(place);
    CHECK(place.leftovers() == "");
    CHECK(at(place.repo, "git fsck --no-dangling 2>&1; git status --porcelain") == "");
    if (!first) continue;
    CHECK(call > 5);
    return;
  }
}

}  // namespace

TEST_CASE("KilledProcess.Acts" * doctest::skip()) {
  if (!std::getenv(kFolderOfKiller)) return;
  std::string commit;
  auto const prepares = [](Killed& place) { return GitPlace::prepare(place.spec).has_value(); };
  SUBCASE("making a tree") {
    kill_at_calls(
        {[](Killed&) {}, prepares, [](Killed& place) { CHECK(place.state() == "andon/7-cart\nfirst"); }});
  }
  SUBCASE("renewing a damaged repository") {
    kill_at_calls({[](Killed& place) {
                     place.made();
                     at(place.tree, "echo draft >draft; rm .git/HEAD");
                   },
                   prepares, [](Killed& place) { CHECK(place.state() == "andon/7-cart\nfirst\n?? draft"); }});
  }
  SUBCASE("taking over a linked tree") {
    kill_at_calls({[](Killed& place) {
                     at(place.repo, "git worktree add -q -b andon/7-cart " + place.tree.native());
                     place.spec.place = *find_work_place(place.tree);
                     place.spec.branch = "andon/7-cart";
                     place.commit();
                     at(place.tree, "echo draft >draft");
                   },
                   prepares,
                   [](Killed& place) {
                     CHECK(place.state() == "andon/7-cart\nwork\nfirst\n?? draft");
                     CHECK(is_own_repository(*find_work_place(place.tree)));
                     CHECK(at(place.repo,
                              "git for-each-ref --format '%(refname)'; ls .git/worktrees "
                              "2>/dev/null || true") == "refs/heads/main");
                   }});
  }
  SUBCASE("recording work") {
    kill_at_calls({[&](Killed& place) {
                     place.made();
                     commit = place.commit();
                   },
                   [&](Killed& place) {
                     auto const work = record_work(place.spec, *place.spec.place, 7, {}, use_for(place.spec));
                     return work.trouble.empty() && work.head == commit && work.files_changed == 1 &&
                            work.commits.size() == 1 && work.branch == "andon/7-cart";
                   },
                   [&](Killed& place) {
                     CHECK(place.kept("refs/andon/runs/7") == commit);
                     CHECK(place.kept("andon/7-cart") == commit);
                   }});
  }
  SUBCASE("settling work") {
    kill_at_calls(
        {[&](Killed& place) {
           place.made();
           commit = place.commit();
           at(place.tree, "echo draft >draft; rm b.txt");
         },
         [&](Killed& place) {
           auto const work =
               record_work(place.spec, *place.spec.place, 7, {}, use_for(place.spec), test::finished());
           return work.trouble.empty() && work.left_out.empty() && work.files_changed == 3;
         },
         [&](Killed& place) {
           CHECK(place.state() == "andon/7-cart\nFix the cart\nwork\nfirst");
           CHECK(at(place.clone().repo(), "git ls-tree --name-only refs/andon/runs/7") == "a.txt\ndraft");
         }});
  }
  SUBCASE("landing") {
    kill_at_calls(
        {[&](Killed& place) {
           place.made();
           commit = place.commit();
           REQUIRE(record_work(place.spec, *place.spec.place, 7, {}, use_for(place.spec)).trouble.empty());
         },
         [&](Killed& place) {
           auto const onto = open_repository(place.repo)->tip;
           return onto == commit || place.clone().complete_landing(commit) ||
                  !place.clone().land("main", commit, onto);
         },
         [&](Killed& place) {
           CHECK(place.head() == commit);
           CHECK(at(place.repo, "cat a.txt") == "two");
         }});
  }
}

TEST_CASE("KilledProcess.LeavesNothingThatTheNextOneCannotEnd") {
  test::Scratch const scratch;
  auto const git = os::find_program("git", search_path_of_git());
  REQUIRE(git);
  os::write_file(scratch / "git", killing_git(scratch.path(), *git), 0755);
  os::write_file(scratch / "calls", "0\n");
  os::write_file(scratch / "kills", std::to_string(kNoCall) + "\n");
  auto const done = os::capture({.program = "/proc/self/exe",
                                 .argv = {"test_runner", "--no-skip", "-tc=KilledProcess.Acts"},
                                 .env = {"PATH=" + scratch.path().native() + ":/usr/bin:/bin", "LC_ALL=C",
                                         std::string{kFolderOfKiller} + "=" + scratch.path().native()},
                                 .cwd = scratch.path()},
                                {.time = core::Duration{300'000}});
  INFO(done.out);
  CHECK(done.status.code == 0);
  CHECK(done.out.find("1 passed") != std::string::npos);
}
