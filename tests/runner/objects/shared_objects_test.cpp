#include "runner/objects/shared_objects.hpp"

#include <atomic>
#include <sys/stat.h>
#include <thread>

#include "os/system_error.hpp"
#include "runner/objects/small_disk.hpp"
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
  /// Sharing fails with these words, and the person's repository stays as it is.
  void check_fails(std::string_view why) const;
  /// All commits of the person's repository with all that they need are there.
  void check_whole() const {
    at(own, "git rev-list --objects --quiet " + at(repo, "git rev-parse --all | tr '\\n' ' '"));
  }
};

std::string state_of(fs::path const& directory) {
  return at(directory, "find .git -type f -printf '%p %i %s %T@ %m\\n' | sort");
}

void Sharing::check_fails(std::string_view why) const {
  auto const before = state_of(repo);
  std::string said;
  try {
    share();
  } catch (os::SystemError const& error) {
    said = error.what();
  }
  CAPTURE(said);
  CHECK(said.find(why) != std::string::npos);
  CHECK(state_of(repo) == before);
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
  std::vector<std::string> const alternates{place.repo / ".git/objects", borrower / ".git/objects"};
  auto const share = [&] {
    share_objects(borrower / ".git/objects", place.own / ".git/objects", alternates);
  };
  share();
  at(place.own, "git rev-list --objects --quiet " + at(borrower, "git rev-parse HEAD"));
  // Alternates that name each other end.
  at(place.repo, "echo ../../../borrower/.git/objects >.git/objects/info/alternates");
  share();
}

TEST_CASE("SharedObjects.OfARepositoryThatIsNotNamedStayThere") {
  Sharing const place;
  auto const secret = place.scratch / "secret";
  at(place.scratch.path(),
     "git init -q -b main secret; cd secret; echo key >id; git add .; git commit -qm key");
  SUBCASE("an alternate") {
    at(place.repo, "echo ../../../secret/.git/objects >.git/objects/info/alternates");
    place.check_fails("share the objects of another repository");
  }
  SUBCASE("another object directory") {
    at(place.repo, "rm -rf .git/objects; ln -s ../../secret/.git/objects .git/objects");
    place.check_fails("share the objects of another repository");
  }
  SUBCASE("links to packs") {
    at(secret, "git repack -qad");
    at(place.repo, "for each in ../secret/.git/objects/pack/*; do ln -s $PWD/$each .git/objects/pack/; done");
    place.check_fails("link among the objects");
  }
  SUBCASE("a link to a folder") {
    at(place.repo, "rm -rf .git/objects/pack; ln -s ../../../secret/.git/objects/pack .git/objects/pack");
    place.check_fails("follow the link");
  }
  CHECK(at(place.own, "git cat-file -e " + at(secret, "git rev-parse HEAD") + " 2>/dev/null || echo none") ==
        "none");
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

TEST_CASE("SharedObjects.AreNeverTakenForNoneWhenADirectoryCannotBeRead") {
  for (auto const* part : {"pack", "ab", "info/alternates"}) {
    CAPTURE(part);
    Sharing const place;
    at(place.repo, std::string{"rm -rf .git/objects/"} + part + "; ln -s loop .git/objects/" + part +
                       "; ln -s $(basename " + part + ") .git/objects/$(dirname " + part + ")/loop");
    place.check_fails("symbolic links");
  }
}

TEST_CASE("SharedObjects.SkipAnAlternateThatIsMissingButNotOneThatCannotBeRead") {
  Sharing const place;
  at(place.repo, "echo /nonexistent/objects >.git/objects/info/alternates");
  place.share();
  place.check_whole();
  auto const loop = place.scratch / "loop";
  fs::create_symlink(loop, loop);
  at(place.repo, "echo " + loop.native() + " >>.git/objects/info/alternates");
  place.check_fails("find the alternate " + loop.native());
}

TEST_CASE("SharedObjects.AreOnlyFiles") {
  Sharing const place;
  at(place.repo,
     "git repack -qad; cd .git/objects; echo x >ab; mkdir -p ac/$(printf 'a%.0s' $(seq 38)) pack; mkfifo "
     "ac/$(printf 'b%.0s' $(seq 38)); mkdir pack/pack-1.pack; echo x >pack/pack-1.idx");
  place.share();
  place.check_whole();
  CHECK(at(place.own, "find .git/objects/ac -mindepth 1; ls .git/objects/pack | grep pack-1[.] || true")
            .empty());
  CHECK_FALSE(fs::exists(place.own / ".git/objects/ab"));
}

TEST_CASE("SharedObjects.AreSharedFromAnObjectDirectoryThatIsALink") {
  Sharing const place;
  at(place.repo, "mv .git/objects ../elsewhere; ln -s ../../elsewhere .git/objects");
  share_objects(place.repo / ".git/objects", place.own / ".git/objects", {place.scratch / "elsewhere"});
  place.check_whole();
}

TEST_CASE("SharedObjects.ReplaceACopyThatAKilledProcessLeft") {
  fs::path const memory{"/dev/shm"};
  if (!fs::is_directory(memory)) return;
  test::Scratch const other{memory};
  Sharing const place;
  auto const object = at(place.repo, "cd .git/objects; find ?? -type f | head -1");
  at(other.path(), "git init -q -b main; mkdir .git/objects/$(dirname " + object +
                       "); echo half >.git/objects/$(dirname " + object + ")/tmp_obj_$(basename " + object +
                       ")");
  share_objects(place.repo / ".git/objects", other / ".git/objects");
  at(other.path(), "git rev-list --objects --quiet " + place.head());
  CHECK(at(other.path(), "find .git/objects -name 'tmp_obj_*'").empty());
}

TEST_CASE("SharedObjects.AreGivenUpWhenTheirRepositoryIsRepackedAllTheTime") {
  Sharing const place;
  at(place.repo, "git repack -qad");
  auto const objects = place.own / ".git/objects";
  CHECK_THROWS_WITH_AS(share_objects(place.repo / ".git/objects", objects, {}, 1),
                       doctest::Contains("repacked all the time; try again later"), os::SystemError);
  place.share();
  place.check_whole();
}

TEST_CASE("SharedObjects.FailWithoutAPlaceToPutThem") {
  Sharing const place;
  at(place.repo, "git repack -qad");
  at(place.own, "rm -rf .git/objects/pack; echo x >.git/objects/pack");
  place.check_fails("make the directory");
}

TEST_CASE("SharedObjects.AreNeverHalfThereOnAFullDisk") {
  Sharing place;
  at(place.repo,
     "git repack -qad; for i in 1 2 3 4; do head -c 100000 /dev/urandom >f$i; done; git add .; git commit "
     "-qm large");
  auto const disk = place.scratch / "disk";
  auto const before = state_of(place.repo);
  auto const said = test::on_small_disk(disk, [&] {
    fs::copy(place.own, disk / "own", fs::copy_options::recursive);
    place.own = disk / "own";
    test::fill_disk(disk, 250'000);
    std::string out;
    try {
      place.share();
    } catch (os::SystemError const& error) {
      out = error.what();
    }
    auto const left = at(place.own, "find .git/objects -name 'tmp*'; git count-objects -v | grep '^garbage'");
    fs::remove(disk / "filler");
    place.share();
    place.check_whole();
    return out + "\n" + left;
  });
  CHECK(state_of(place.repo) == before);
  if (!said) return;
  CAPTURE(*said);
  CHECK(said->starts_with("cannot write " + disk.native()));
  CHECK(said->ends_with("No space left on device\ngarbage: 0"));
}
