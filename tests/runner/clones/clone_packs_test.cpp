#include "runner/clones/clone_packs.hpp"

#include "os/data/file_lock.hpp"
#include "os/files/disk_use.hpp"
#include "runner/clones/clone_room.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/run_work.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMiB = 1 << 20U;

/// A person's repository, its clone, and a run's repository that borrows from the clone.
struct Tidying : GitPlace {
  WorkspaceSpec spec = workspace("7-cart");
  core::WorkPlace place;

  Tidying() {
    auto made = prepare(spec);
    REQUIRE(made);
    place = *made;
  }
  std::string git_directory() const { return (clone().repo() / ".git").native(); }
  /// The run commits, and the clone takes the commit alone.
  std::string commit(std::string const& script) const {
    auto const before = at(place.directory, "git rev-parse HEAD");
    auto const made = at(place.directory, script + "; git commit -qam work; git rev-parse HEAD");
    auto const repository = open_repository(clone().repo());
    REQUIRE(repository);
    Git const tree{place, use_for(spec)};
    CHECK(take_in({.tree = tree, .clone = *repository, .commit = made, .before = before}).empty());
    return made;
  }
  /// Gives the clone 55 more packs of its own.
  void add_packs() const {
    at(clone().repo(),
       "for i in $(seq 55); do echo $i | git hash-object -w --stdin | git pack-objects -q "
       ".git/objects/pack/pack >/dev/null; done; git prune-packed -q");
  }
  /// The names of all objects in the clone.
  std::string objects() const {
    return at(clone().repo(), "git cat-file --batch-all-objects --batch-check='%(objectname)'");
  }
  int packs() const { return std::stoi(at(clone().repo(), "ls .git/objects/pack/*.pack | wc -l")); }
};

}  // namespace

TEST_CASE("ClonePacks.AreFewAndLoseNoObject") {
  Tidying const place;
  std::string last;
  for (int i = 0; i < 60; ++i) last = place.commit("echo " + std::to_string(i) + " >a.txt");
  auto const objects = place.objects();
  CHECK(place.packs() == 60);
  CHECK(place.clone().tidy().empty());
  CHECK(place.packs() == 2);
  CHECK(place.objects() == objects);
  CHECK(place.clone().tidy().empty());
  CHECK(place.packs() == 2);
  at(place.clone().repo(), "git fsck --strict --no-dangling; git rev-list --objects --quiet " + last);
}

// No ref of the clone reaches the commit, and the run's own copy of it is gone.
TEST_CASE("ClonePacks.KeepWhatARunBorrowsAndNoRefReaches") {
  Tidying const place;
  std::string const borrowed = place.commit("echo borrowed >a.txt");
  place.commit("echo more >b.txt");
  place.add_packs();
  CHECK(at(place.clone().repo(), "git branch -a --contains " + borrowed).empty());
  at(place.place.directory, "git repack -qadl");
  CHECK(at(place.place.directory,
           "mv .git/objects/info/alternates saved; git cat-file -t " + borrowed +
               " 2>/dev/null || echo missing; mv saved .git/objects/info/alternates") == "missing");
  CHECK(at(place.place.directory, "git cat-file blob " + borrowed + ":a.txt") == "borrowed");
  CHECK(place.clone().tidy().empty());
  CHECK(place.packs() == 2);
  CHECK(at(place.place.directory, "git cat-file blob " + borrowed + ":a.txt") == "borrowed");
  at(place.place.directory, "git fsck --no-dangling");
}

// Each round the person replaces half of the content, and packs everything anew.
TEST_CASE("ClonePacks.OfARepositoryThatIsRepackedOftenAreBounded") {
  Tidying const place;
  std::int64_t most = 0;
  for (int i = 0; i < 30; ++i) {
    at(place.repo, "head -c 1500000 /dev/urandom >$((" + std::to_string(i) +
                       " % 5)); git add .; git commit -q --amend "
                       "--no-edit; git reflog expire --expire=now --all; git repack -qadf --window=1; git "
                       "prune --expire=now");
    REQUIRE(place.clone().refresh());
    CHECK(place.clone().tidy().empty());
    most = std::max(most, os::bytes_on_disk(place.git_directory()));
  }
  auto const persons = os::bytes_on_disk(place.repo / ".git");
  // The content of all rounds stays, because a run may borrow it: 45 MB, once.
  CAPTURE(most / kMiB);
  CHECK(most < 45 * kMiB + 3 * persons + 64 * kMiB);
  at(place.clone().repo(), "git fsck --strict --no-dangling");
}

TEST_CASE("ClonePacks.AreLeftAloneWhileTheCloneIsFetched") {
  Tidying const place;
  place.add_packs();
  auto const folder = clone_folder(place.data, place.repo);
  {
    auto const held = os::FileLock::try_take(fetch_lock(folder));
    REQUIRE(held);
    CHECK(place.clone().tidy().empty());
    CHECK(place.packs() == 55);
  }
  CHECK(place.clone().tidy().empty());
  CHECK(place.packs() == 2);
}

TEST_CASE("ClonePacks.StayWhenOneOfThemIsDamaged") {
  Tidying const place;
  place.add_packs();
  at(place.clone().repo(),
     "f=$(ls .git/objects/pack/*.pack | head -1); chmod u+w $f; printf X | dd of=$f bs=1 seek=14 "
     "conv=notrunc "
     "2>/dev/null");
  auto const before = at(place.clone().repo(), "ls .git/objects/pack");
  CHECK(place.clone().tidy().find("cannot be joined") != std::string::npos);
  CHECK(place.clone().tidy().find("cannot be joined") != std::string::npos);
  CHECK(at(place.clone().repo(), "ls .git/objects/pack | grep -v tmp_") == before);
}
