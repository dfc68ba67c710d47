// Unusual repositories of persons: Andon works with them, or says what is missing.

#include <atomic>
#include <functional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "runner/worktrees/diff.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/run_work.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace fs = std::filesystem;

namespace {

/// A person's repository that a script makes beside an ordinary one, `repo`, with three commits.
struct Unusual : GitPlace {
  fs::path source = repo;
  WorkspaceSpec spec{};

  explicit Unusual(std::string const& script) {
    at(repo,
       "for each in two three; do echo $each >a.txt; git commit -qam $each; done; git config "
       "uploadpack.allowFilter true; git config "
       "uploadpack.allowAnySHA1InWant true");
    at(scratch.path(), "here=$PWD; " + script);
    repo = scratch / "mine";
    begin();
  }
  void begin() { spec = workspace("7-cart"); }
  /// The reason why a run cannot begin.
  std::string trouble() {
    auto const done = prepare(spec);
    if (!done) return done.error().message;
    spec.place = *done;
    spec.branch = at(spec.directory, "git symbolic-ref --short HEAD");
    return "";
  }
  /// A whole run: one commit in its tree, which the clone has at its end. Its name.
  std::string run(std::string const& file) {
    REQUIRE(trouble() == "");
    auto const noted = note_run(spec, *spec.place, use_for(spec));
    REQUIRE(noted);
    at(spec.directory, "echo " + file + " >" + file + "; git add " + file + "; git commit -qm " + file);
    REQUIRE(clone().refresh());
    auto const done = record_work(spec, *spec.place, 7, *noted, use_for(spec));
    CHECK(done.trouble == "");
    CHECK(done.files_changed == 1);
    core::Run finished;
    finished.base = done.base;
    finished.head = done.head;
    CHECK(diff_of({finished, spec.repo}));
    return done.head;
  }
  /// The reason why a commit does not land.
  std::string land(std::string const& commit) const {
    return clone().land("main", commit, head()).value_or("");
  }
  void run_and_land(std::string const& file) {
    auto const commit = run(file);
    REQUIRE(land(commit) == "");
    CHECK(head() == commit);
    CHECK(at(repo, "cat " + file + "; git status --porcelain") == file);
  }
};

constexpr char kPartial[] = "git clone -q --no-checkout --filter=blob:none file://$here/repo mine; ";

}  // namespace

TEST_CASE("OriginFaults.WorkInAShallowRepositoryLands") {
  Unusual place{"git clone -q --depth 1 file://$here/repo mine"};
  place.run_and_land("one");
  at(place.source, "echo four >b.txt; git commit -qam fourth");
  SUBCASE("that stays so") {}
  SUBCASE("that is deepened") { at(place.repo, "git fetch -q --deepen 1"); }
  SUBCASE("that becomes whole") { at(place.repo, "git fetch -q --unshallow"); }
  SUBCASE("that becomes whole and is packed anew") {
    at(place.repo, "git fetch -q --unshallow; git gc -q --prune=now");
  }
  SUBCASE("that becomes shallower") { at(place.repo, "git fetch -q --unshallow; git fetch -q --depth 1"); }
  place.run_and_land("two");
  CHECK(at(place.repo, "git fsck --no-dangling 2>&1") == "");
  CHECK(at(place.clone().repo(), "git fsck --no-dangling 2>&1") == "");
}

TEST_CASE("OriginFaults.APartialCloneWithoutItsFilesIsRefusedWithTheCommandThatHelps") {
  Unusual place{kPartial};
  auto const said = place.trouble();
  CHECK(said.find(place.repo.native() + " is a partial clone") != std::string::npos);
  std::string const command = "git fetch --refetch --no-filter";
  REQUIRE(said.ends_with(command));
  CHECK_FALSE(fs::exists(place.spec.directory));
  at(place.repo, command + " 2>/dev/null; git checkout -q main");
  place.run_and_land("one");
}

TEST_CASE("OriginFaults.APartialCloneWithAllFilesOfItsBranchIsEnough") {
  Unusual place{std::string{kPartial} + "cd mine; git checkout -q main"};
  REQUIRE(at(place.repo, "git rev-list --objects --all --missing=print | grep -c '^?'") == "1");
  place.run_and_land("one");
  place.run_and_land("two");
  CHECK(at(place.repo, "git fsck --no-dangling 2>&1") == "");
  // A later commit whose files were not fetched.
  at(place.source, "echo four >b.txt; git commit -qam fourth; git checkout -q --detach");
  at(place.repo, "git fetch -q; git update-ref refs/heads/main origin/main");
  CHECK(place.trouble().find("is a partial clone, in which objects of main are missing") !=
        std::string::npos);
}

TEST_CASE("OriginFaults.APartialCloneWithoutDirectoriesIsRefused") {
  Unusual place{"git clone -q --no-checkout --filter=tree:0 file://$here/repo mine"};
  CHECK(place.trouble().find("is a partial clone") != std::string::npos);
}

TEST_CASE("OriginFaults.ARepositoryThatBorrowsObjectsIsWorkedIn") {
  for (auto const* how :
       {"git clone -q --shared repo mine", "git clone -q --reference repo file://$here/repo mine"}) {
    CAPTURE(how);
    Unusual place{how};
    auto const gone = place.scratch / "gone";
    fs::rename(place.source, gone);
    auto const said = place.trouble();
    CAPTURE(said);
    CHECK(said.find("the repository " + place.repo.native() + " does not have its commit") !=
          std::string::npos);
    CHECK(said.find("objects/info/alternates") != std::string::npos);
    fs::rename(gone, place.source);
    place.run_and_land("one");
    place.run_and_land("two");
  }
}

TEST_CASE("OriginFaults.AnAlternateThatCameLaterIsNotFollowed") {
  Unusual place{
      "git clone -q repo mine; git init -q -b main secret; cd secret; echo key >id; git add .; git "
      "commit -qm key"};
  place.run_and_land("one");
  auto const secret = place.scratch / "secret";
  at(place.repo, "echo " + secret.native() + "/.git/objects >>.git/objects/info/alternates");
  GitUse const use{.records = place.data.repositories()};
  auto const refreshed = Clone{place.repo, place.data, use}.refresh();
  REQUIRE_FALSE(refreshed);
  CHECK(refreshed.error().message.find("which was not so when Andon first used it") != std::string::npos);
  CHECK(at(place.clone().repo(),
           "git cat-file -e " + at(secret, "git rev-parse HEAD") + " 2>/dev/null || echo none") == "none");
}

TEST_CASE("OriginFaults.ARepositoryOfAnotherUserIsWorkedIn") {
  if (::geteuid() != 0) return;
  Unusual place{"git clone -q repo mine; chown -R 1234:1234 mine; chmod -R go-w mine"};
  place.run_and_land("one");
  place.run_and_land("two");
  // Andon runs as another user here, and what it makes belongs to that one.
  CHECK(at(place.repo, "stat -c %u one") == "0");
  CHECK(at(place.repo, "stat -c %u a.txt") == "1234");
}

TEST_CASE("OriginFaults.ARepositoryWithLongerNamesIsWorkedIn") {
  Unusual place{
      "git init -q -b main --object-format=sha256 mine; cd mine; echo one >a.txt; git add .; git "
      "commit -qm first"};
  place.run_and_land("one");
  place.run_and_land("two");
  CHECK(place.head().size() == 64);
}

TEST_CASE("OriginFaults.NothingIsLostWhileAPersonPacksAndRebases") {
  Unusual place{"git clone -q repo mine"};
  std::atomic<bool> has_failed = false;
  std::string const acts =
      "echo $$ >own.txt; git add own.txt; git stash -q; git stash drop -q; git checkout -q -B side main; "
      "echo x "
      ">side.txt; git add side.txt; git commit -qm side; git rebase -q main; git checkout -q --detach; git "
      "branch -qD side; git reflog expire --expire=now --all; ";
  std::jthread person{[&](std::stop_token const& stop) {
    try {
      for (int i = 0; !stop.stop_requested(); ++i)
        at(place.repo,
           acts + (i % 2 == 0 ? "git gc -q --prune=now" : "git repack -qad; git prune-packed -q"));
    } catch (...) {
      has_failed = true;  // the check in `at` has failed
    }
  }};
  std::vector<std::string> commits;
  std::string landed;
  for (int i = 0; i < 20; ++i) {
    commits.push_back(place.run("f" + std::to_string(i)));
    landed = place.land(commits.back());
  }
  person.request_stop();
  person.join();
  CHECK(landed == "");
  CHECK_FALSE(has_failed);
  CHECK(at(place.repo, "find .git -name '*.keep' -o -name 'tmp_obj*' -o -path '*/objects/andon-*'") == "");
  for (auto const& commit : commits) at(place.clone().repo(), "git rev-list --objects --quiet " + commit);
  at(place.repo, "git rev-list --objects --quiet main");
}
