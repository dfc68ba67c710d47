#include "runner/worktrees/shared_objects.hpp"

#include <atomic>
#include <sys/stat.h>
#include <thread>

#include "runner/worktrees/git_place.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace fs = std::filesystem;

namespace {

/// An empty repository that gets the objects of a person's one.
struct Sharing : GitPlace {
  fs::path own = scratch / "own";

  Sharing() {
    fs::create_directories(own);
    at(own, "git init -q -b main");
  }
  void share() const { share_objects(repo / ".git/objects", own / ".git/objects"); }
  /// All commits of the person's repository with all that they need are there.
  void check_whole() const {
    at(own, "git rev-list --objects --quiet " + at(repo, "git rev-parse --all | tr '\\n' ' '"));
  }
};

std::string state_of(fs::path const& directory) {
  return at(directory, "find .git -type f -printf '%p %i %s %T@ %m\\n' | sort");
}

}  // namespace

TEST_CASE("SharedObjects.AreAllThereAndNothingOfTheirRepositoryChanges") {
  Sharing place;
  at(place.repo, "git gc -q; echo two >a.txt; git commit -qam second; git tag -a v1 -m one");
  auto const before = state_of(place.repo);
  place.share();
  place.check_whole();
  CHECK(state_of(place.repo) == before);
  at(place.repo, "echo three >a.txt; git commit -qam third");
  place.share();
  place.check_whole();
}

TEST_CASE("SharedObjects.CostNoDisk") {
  Sharing const place;
  place.share();
  auto const object = at(place.repo, "find .git/objects -type f | head -1");
  struct stat own{};
  struct stat shared{};
  REQUIRE(::stat((place.repo / object).c_str(), &own) == 0);
  REQUIRE(::stat((place.own / object).c_str(), &shared) == 0);
  CHECK(own.st_ino == shared.st_ino);
}

TEST_CASE("SharedObjects.StayWhenTheirRepositoryDropsThem") {
  Sharing place;
  at(place.repo, "echo two >a.txt; git commit -qam second");
  auto const dropped = place.head();
  place.share();
  at(place.repo, "git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git gc -q --prune=now");
  at(place.own, "git rev-list --objects --quiet " + dropped);
}

TEST_CASE("SharedObjects.FollowAlternates") {
  Sharing place;
  auto const borrower = place.scratch / "borrower";
  at(place.scratch.path(),
     "git clone -q --shared repo borrower; cd borrower; git commit -q --allow-empty -m x");
  share_objects(borrower / ".git/objects", place.own / ".git/objects");
  at(place.own, "git rev-list --objects --quiet " + at(borrower, "git rev-parse HEAD"));
  // Alternates that name each other end.
  at(place.repo, "echo ../../../borrower/.git/objects >.git/objects/info/alternates");
  share_objects(borrower / ".git/objects", place.own / ".git/objects");
}

TEST_CASE("SharedObjects.AreWholeWhileTheirRepositoryIsRepacked") {
  Sharing const place;
  std::atomic<bool> is_over = false;
  std::jthread const person{[&] {
    for (int i = 0; i < 25; ++i)
      at(place.repo, "echo " + std::to_string(i) + " >a.txt; git commit -qam " + std::to_string(i) +
                         "; git repack -qad --no-write-bitmap-index; git prune-packed -q");
    is_over = true;
  }};
  while (!is_over) {
    auto const tip = place.head();
    place.share();
    at(place.own, "git rev-list --objects --quiet " + tip);
  }
}
