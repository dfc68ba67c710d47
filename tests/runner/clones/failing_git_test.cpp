// Each call of git in turn fails. The program that Andon takes for git is chosen once in a process, so the
// acts run in a process of their own, whose git is a script that counts its calls.

#include <cstdlib>
#include <functional>

#include "os/files/file.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/program.hpp"
#include "runner/git/git_environment.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/run_work.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace fs = std::filesystem;

namespace {

constexpr char kFolderOfScript[] = "ANDON_FAILING_GIT";
constexpr int kNever = 1'000'000;

/// The script that stands for git. It fails once, at the call with that number. Before each call it does what
/// a person does meanwhile, if there is something.
std::string failing_git(fs::path const& folder, fs::path const& git) {
  return "#!/bin/sh\nhere=" + folder.native() +
         "\nread n <$here/calls; echo $((n + 1)) >$here/calls; read k <$here/fails\n[ $n = $k ] && { echo "
         "broken "
         ">&2; exit 1; }\n[ -f $here/person ] && env -i PATH=/usr/bin:/bin sh $here/person \"$@\" "
         ">&2\nexec " +
         git.native() + " \"$@\"\n";
}

/// A person's repository, its clone and a run's repository, with the script for git.
struct Failing : GitPlace {
  fs::path script = std::getenv(kFolderOfScript);
  WorkspaceSpec spec = workspace("7-cart");
  core::WorkPlace tree;

  Failing() {
    fail_at(kNever);
    auto const made = prepare(spec);
    REQUIRE(made);
    tree = *made;
  }
  /// Counts the calls from here.
  void fail_at(int call) const {
    os::write_file(script / "calls", "0\n");
    os::write_file(script / "fails", std::to_string(call) + "\n");
  }
  int calls() const { return std::stoi(os::read_file(script / "calls", 100)); }
  std::string commit() const {
    return at(tree.directory, "echo x >>a.txt; git commit -qam work; git rev-parse HEAD");
  }
  bool take(std::string const& commit) const {
    auto const repository = open_repository(clone().repo());
    if (!repository) return false;
    Git const of_run{tree, use_for(spec)};
    return take_in({.tree = of_run, .clone = *repository, .commit = commit}).empty();
  }
  static std::string state_of(fs::path const& repository) {
    return at(repository, "git for-each-ref; git status --porcelain; find .git/objects | sort");
  }
  std::string clone_objects() const {
    return at(clone().repo(), "git cat-file --batch-all-objects --batch-check; git fsck --no-dangling 2>&1");
  }
  bool has_leftovers() const {
    return !at(scratch.path(), "find . -name 'tmp_objdir*' -o -name 'tmp_pack*' -o -path '*/objects/andon-*'")
                .empty();
  }
  /// Does something again and again, and each time another call of git fails. `act` returns whether it
  /// succeeded; it must, once git works again.
  void fail_each_call(std::function<void()> const& arrange, std::function<bool()> const& act,
                      std::function<void(bool)> const& check) const {
    for (int call = 0;; ++call) {
      CAPTURE(call);
      arrange();
      fail_at(call);
      bool const is_done = act();
      bool const is_last = calls() <= call;
      fail_at(kNever);
      check(is_done);
      CHECK_FALSE(has_leftovers());
      if (!is_done) CHECK(act());
      if (!is_last) continue;
      CHECK(is_done);
      return;
    }
  }
};

}  // namespace

TEST_CASE("FailingGit.Acts" * doctest::skip()) {
  if (!std::getenv(kFolderOfScript)) return;
  Failing const place;
  std::string commit;
  std::string before;
  SUBCASE("taking in") {
    place.fail_each_call(
        [&] {
          commit = place.commit();
          before = Failing::state_of(place.clone().repo()) + Failing::state_of(place.tree.directory);
        },
        [&] { return place.take(commit); },
        [&](bool is_done) {
          auto const now = Failing::state_of(place.clone().repo()) + Failing::state_of(place.tree.directory);
          CHECK((is_done || now == before));
        });
  }
  SUBCASE("settling work") {
    auto spec = place.spec;
    spec.place = place.tree;
    auto const noted = note_run(spec, place.tree, use_for(spec));
    REQUIRE(noted);
    place.fail_each_call(
        [&] {
          commit = place.commit();
          at(place.tree.directory, "echo x >>draft; rm -f b.txt");
          before = at(place.tree.directory, "cat a.txt draft");
        },
        [&] {
          auto const work = record_work(spec, place.tree, 7, *noted, use_for(spec), test::finished());
          if (work.trouble.empty()) CHECK(work.left_out.empty());
          return work.trouble.empty();
        },
        [&](bool is_done) {
          CHECK(at(place.tree.directory, "cat a.txt draft; ls") == before + "\na.txt\ndraft");
          at(place.tree.directory, "git merge-base --is-ancestor " + commit + " HEAD");
          if (is_done)
            CHECK(at(place.clone().repo(),
                     "git show refs/andon/runs/7:a.txt refs/andon/runs/7:draft; git ls-tree --name-only "
                     "refs/andon/runs/7") == before + "\na.txt\ndraft");
        });
  }
  SUBCASE("fetching") {
    at(place.repo, "git branch side");
    REQUIRE(place.clone().refresh());
    place.fail_each_call(
        [&] {
          at(place.repo, "echo x >>b.txt; git commit -qam next");
          before = Failing::state_of(place.repo);
        },
        [&] { return place.clone().refresh().has_value(); },
        [&](bool) {
          CHECK(Failing::state_of(place.repo) == before);
          at(place.clone().repo(), "git rev-parse -q --verify origin/side; git fsck --no-dangling");
        });
    CHECK(place.kept("origin/main") == place.head());
    CHECK(place.kept("origin/side") == place.head("side"));
  }
  SUBCASE("landing") {
    std::string onto;
    place.fail_each_call(
        [&] {
          onto = place.head();
          commit = place.commit();
          REQUIRE(place.take(commit));
        },
        [&] { return place.head() == commit || !place.clone().land("main", commit, onto); },
        [&](bool is_done) {
          auto const now = place.head();
          CHECK((now == commit || (!is_done && now == onto)));
          at(place.repo, "git fsck --no-dangling");
        });
  }
  SUBCASE("landing while a person prunes") {
    auto const onto = place.head();
    commit = place.commit();
    REQUIRE(place.take(commit));
    at(place.repo, "git checkout -q --detach");
    os::write_file(place.script / "person", "git -C " + place.repo.native() + " gc -q --prune=now\n");
    CHECK(place.clone().land("main", commit, onto).value_or("") == "");
    fs::remove(place.script / "person");
    CHECK(place.head("main") == commit);
    at(place.repo, "git fsck --no-dangling");
    CHECK_FALSE(place.has_leftovers());
  }
  SUBCASE("fetching while a person removes branches with their objects") {
    auto const in_repo = "git -C " + place.repo.native() + " ";
    auto const made = (place.script / "made").native();
    // The branch is there while refs are read, for the first three times, and gone at each other call.
    os::write_file(
        place.script / "person",
        "case \"$*\" in *for-each-ref*) [ $(cat " + made +
            " 2>/dev/null | wc -l) -lt 3 ] || exit 0; echo >>" + made + "; " + in_repo + "branch -f side $(" +
            in_repo + "-c user.name=a -c user.email=a@b commit-tree -p HEAD -m $$ HEAD^{tree});; *) " +
            in_repo + "rev-parse -q --verify side || exit 0; " + in_repo + "branch -qD side; " + in_repo +
            "reflog expire --expire=now --all; " + in_repo + "gc -q --prune=now;; esac\n");
    at(place.repo, "echo x >>b.txt; git add b.txt; git commit -qm next");
    auto const done = place.clone().refresh();
    CHECK((done ? "" : done.error().message) == "");
    fs::remove(place.script / "person");
    CHECK(place.kept("origin/main") == place.head());
    at(place.clone().repo(), "git fsck --no-dangling");
  }
  SUBCASE("joining packs") {
    place.fail_each_call(
        [&] {
          at(place.clone().repo(),
             "for i in $(seq 52); do echo $i$$ | git hash-object -w --stdin | git pack-objects -q "
             ".git/objects/pack/pack >/dev/null; done; git prune-packed -q");
          before = place.clone_objects();
        },
        [&] { return place.clone().tidy().empty(); }, [&](bool) { CHECK(place.clone_objects() == before); });
  }
}

TEST_CASE("FailingGit.LosesNothingWhicheverCallFails") {
  test::Scratch const scratch;
  auto const git = os::find_program("git", search_path_of_git());
  REQUIRE(git);
  os::write_file(scratch / "git", failing_git(scratch.path(), *git), 0755);
  os::write_file(scratch / "calls", "0\n");
  os::write_file(scratch / "fails", std::to_string(kNever) + "\n");
  auto const done = os::capture({.program = "/proc/self/exe",
                                 .argv = {"test_runner", "--no-skip", "-tc=FailingGit.Acts"},
                                 .env = {"PATH=" + scratch.path().native() + ":/usr/bin:/bin", "LC_ALL=C",
                                         std::string{kFolderOfScript} + "=" + scratch.path().native()},
                                 .cwd = scratch.path()},
                                {.time = core::Duration{300'000}});
  INFO(done.out);
  CHECK(done.status.code == 0);
  CHECK(done.out.find("1 passed") != std::string::npos);
}
