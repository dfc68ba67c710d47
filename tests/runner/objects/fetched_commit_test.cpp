#include "runner/objects/fetched_commit.hpp"

#include <array>
#include <random>

#include "os/files/file.hpp"
#include "runner/objects/shared_objects.hpp"
#include "runner/objects/small_disk.hpp"
#include "runner/worktrees/git_place.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace fs = std::filesystem;

namespace {

/// Andon's own repository, and one of an agent that borrows its objects.
struct Fetching : GitPlace {
  fs::path own = scratch / "own";
  fs::path agents = scratch / "agents";
  fs::path incoming = scratch / "incoming";
  FetchLimits limits{};

  Fetching() {
    at(scratch.path(), "git init -q -b main own; git clone -q --shared repo agents");
    share_objects(repo / ".git/objects", own / ".git/objects");
    at(own, "git update-ref refs/heads/main " + head());
    at(agents, "echo " + own.native() + "/.git/objects >.git/objects/info/alternates");
  }
  std::string act(std::string const& script) const { return at(agents, script + "\ngit rev-parse HEAD"); }
  std::string fetch(std::string const& commit) const {
    auto const from = open_git(agents);
    auto const to = open_git(own);
    REQUIRE(from);
    REQUIRE(to);
    return fetch_commit({.from = *from,
                         .to = *to,
                         .commit = commit,
                         .known = {head()},
                         .incoming = incoming,
                         .limits = limits});
  }
  /// All files of the agent's repository, and all of the own one.
  std::string everything() const {
    constexpr char kFiles[] =
        "find . -type f ! -name index -exec sha1sum {} + | sort -k2; find . -type d | sort";
    return at(agents, kFiles) + at(own, kFiles);
  }
  std::string objects() const {
    return at(own, "git cat-file --batch-all-objects --batch-check | sort; find .git/objects -type f | sort");
  }
  /// The commit is refused with these words, and nothing of it was taken.
  void check_refused(std::string const& commit, std::string_view why) const {
    auto const before = everything();
    auto const trouble = fetch(commit);
    INFO(trouble);
    CHECK(trouble.find(why) != std::string::npos);
    CHECK(everything() == before);
    CHECK_FALSE(fs::exists(incoming));
  }
};

/// Puts other content under the name of a loose object of the agent's repository.
constexpr char kRewrite[] =
    "rewrite() { f=.git/objects/$(echo $1 | cut -c1-2)/$(echo $1 | cut -c3-); mkdir -p $(dirname $f); "
    "rm -f $f; n=$(git hash-object -w --stdin <<X\n$2\nX\n); "
    "cp .git/objects/$(echo $n | cut -c1-2)/$(echo $n | cut -c3-) $f; }\n";

}  // namespace

TEST_CASE("FetchedCommit.IsThereWithAllThatItNeeds") {
  Fetching const place;
  auto const commit = place.act(
      "echo two >a.txt; git commit -qam second; mkdir d; echo x >d/x; git add .; git commit -qm third");
  CHECK(place.fetch(commit).empty());
  at(place.own, "git fsck --strict --no-dangling; git rev-list --objects --quiet " + commit);
  CHECK(at(place.own, "git show " + commit + ":a.txt") == "two");
  CHECK(place.fetch(commit).empty());
  CHECK(place.fetch(place.head()).empty());
  CHECK_FALSE(fs::exists(place.incoming));
}

TEST_CASE("FetchedCommit.BringsNoRefAndNoSetting") {
  Fetching const place;
  auto const before = at(place.own, "git for-each-ref; cat .git/config; ls -a .git .git/hooks");
  auto const commit = place.act(
      "echo two >a.txt; git commit -qam second; git tag evil; git branch -f side; git config core.fsmonitor "
      "'touch " +
      place.marker().native() + "'; printf '#!/bin/sh\\ntouch " + place.marker().native() +
      "' >.git/hooks/post-index-change; chmod +x .git/hooks/post-index-change; git config "
      "uploadpack.packObjectsHook 'touch " +
      place.marker().native() + "'");
  fs::remove(place.marker());
  CHECK(place.fetch(commit).empty());
  CHECK(at(place.own, "git for-each-ref; cat .git/config; ls -a .git .git/hooks") == before);
  CHECK_FALSE(place.was_sprung());
}

TEST_CASE("FetchedCommit.WithARewrittenObjectIsRefused") {
  for (auto const* object : {"HEAD:a.txt", "HEAD^{tree}"}) {
    CAPTURE(object);
    Fetching const place;
    auto const commit = place.act("echo two >a.txt; git commit -qam second");
    at(place.agents, std::string{kRewrite} + "rewrite $(git rev-parse " + object + ") other");
    place.check_refused(commit, "cannot be taken over");
  }
}

TEST_CASE("FetchedCommit.LeavesKnownObjectsAsTheyAre") {
  Fetching const place;
  auto const known = place.head("main:b.txt");
  at(place.agents, std::string{kRewrite} + "rewrite " + known + " other");
  auto const commit = place.act("echo two >a.txt; git commit -qm second a.txt");
  place.fetch(commit);
  CHECK(at(place.own, "git cat-file blob " + known) == "one");
  at(place.own, "git fsck --strict --no-dangling");
}

TEST_CASE("FetchedCommit.WithoutAPartIsRefused") {
  for (auto const* object : {"HEAD:a.txt", "HEAD^{tree}", "HEAD~1"}) {
    CAPTURE(object);
    Fetching const place;
    auto const commit =
        place.act("echo two >a.txt; git commit -qam second; echo three >b.txt; git commit -qam third");
    at(place.agents, std::string{"o=$(git rev-parse "} + object +
                         "); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)");
    place.check_refused(commit, "cannot be taken over");
  }
}

TEST_CASE("FetchedCommit.ThatGitWouldNotCheckOutSafelyIsRefused") {
  Fetching const place;
  auto const commit = place.act(
      "b=$(echo evil | git hash-object -w --stdin); t=$(printf '100644 blob %s\\t.git\\n' $b | git mktree); "
      "git reset -q --soft $(git commit-tree -p HEAD -m second $t)");
  place.check_refused(commit, "hasDotgit");
}

TEST_CASE("FetchedCommit.IsBoundedInSizeAndCount") {
  Fetching place;
  auto const commit =
      place.act("head -c 3000000 /dev/urandom >large; git add .; git commit -qm large; git branch large");
  place.limits.bytes = 1 << 20U;
  place.check_refused(commit, "more than 1 MiB");
  place.limits = {.objects = 2};
  place.check_refused(commit, "more than 2 objects");
  place.limits = {};
  CHECK(place.fetch(commit).empty());
}

TEST_CASE("FetchedCommit.IsNoneForAnotherObjectOrName") {
  Fetching const place;
  at(place.agents, "echo two >a.txt; git commit -qam second; git tag -a tagged -m tagged");
  for (auto const* what : {"HEAD^{tree}", "HEAD:a.txt", "tagged"})
    place.check_refused(at(place.agents, std::string{"git rev-parse "} + what), "cannot be taken over");
  for (auto const* name : {"HEAD", "--all", "", "0000000000000000000000000000000000000000"})
    place.check_refused(name, "cannot be taken over");
}

TEST_CASE("FetchedCommit.LeavesTheRepositoryOfTheAgentAsItIs") {
  Fetching const place;
  auto const commit = place.act("echo two >a.txt; git commit -qam second");
  auto const before = at(place.agents, "find .git -printf '%p %i %s %m\\n' | sort");
  CHECK(place.fetch(commit).empty());
  CHECK(at(place.agents, "find .git -printf '%p %i %s %m\\n' | sort") == before);
}

TEST_CASE("FetchedCommit.NeedsNoPlaceOnOneFileSystemWithItsSource") {
  if (!fs::is_directory("/dev/shm")) return;
  Fetching const place;
  test::Scratch const elsewhere{"/dev/shm"};
  fs::copy(place.agents, elsewhere / "agents", fs::copy_options::recursive);
  auto const commit = at(elsewhere / "agents", "echo two >a.txt; git commit -qam second; git rev-parse HEAD");
  auto const from = open_git(elsewhere / "agents");
  auto const to = open_git(place.own);
  REQUIRE(from);
  REQUIRE(to);
  CHECK(fetch_commit({.from = *from, .to = *to, .commit = commit, .incoming = place.incoming}).empty());
  CHECK(at(place.own, "git show " + commit + ":a.txt") == "two");
}

TEST_CASE("FetchedCommit.IsRefusedWithoutAPlaceForIt") {
  Fetching place;
  auto const commit = place.act("echo two >a.txt; git commit -qam second");
  auto const before = place.everything();
  place.incoming = place.scratch / "file/incoming";
  os::write_file(place.scratch / "file", "x");
  CHECK(place.fetch(commit).find("cannot be taken over") != std::string::npos);
  CHECK(place.everything() == before);
  fs::remove(place.scratch / "file");
  CHECK(place.fetch(commit).empty());
}

TEST_CASE("FetchedCommit.LeavesNothingOnAFullDisk") {
  Fetching place;
  auto const commit = place.act("head -c 400000 /dev/urandom >large; git add .; git commit -qm large");
  auto const disk = place.scratch / "disk";
  auto const fetch_with_room_for = [&](std::uint64_t bytes) {
    fs::copy(place.own, disk / "own", fs::copy_options::recursive);
    place.own = disk / "own";
    place.incoming = disk / "incoming";
    test::fill_disk(disk, bytes);
    auto const before = place.everything();
    auto const trouble = place.fetch(commit);
    if (fs::exists(place.incoming)) return "left objects after: " + trouble;
    if (trouble.empty()) return at(place.own, "git rev-list --objects --quiet " + commit + "; echo whole");
    return place.everything() == before ? trouble : "changed something after: " + trouble;
  };
  std::string last;
  for (auto const kib : {0U, 4U, 100U, 390U, 420U, 600U, 790U, 820U, 900U, 4000U}) {
    auto const said =
        test::on_small_disk(disk, [&] { return fetch_with_room_for(std::uint64_t{kib} << 10U); });
    if (!said) return;
    CAPTURE(kib);
    CAPTURE(*said);
    bool const is_named = said->find("No space left") != std::string::npos ||
                          said->find("Out of diskspace") != std::string::npos;
    bool const is_refused = said->starts_with("the commit ") && is_named;
    CHECK((is_refused || *said == "whole"));
    if (kib < 400) CHECK(is_refused);
    last = *said;
  }
  CHECK(last == "whole");
}

// Whichever file of a pack cannot get its name: no other file of the pack stays.
TEST_CASE("FetchedCommit.LeavesNoHalfPack") {
  for (auto const* extension : {"pack", "idx"}) {
    CAPTURE(extension);
    Fetching const place;
    auto const commit = place.act("echo two >a.txt; git commit -qam second");
    fs::copy(place.own, place.scratch / "saved", fs::copy_options::recursive);
    REQUIRE(place.fetch(commit).empty());
    auto const name = at(place.own, std::string{"basename .git/objects/pack/*."} + extension);
    fs::remove_all(place.own);
    fs::rename(place.scratch / "saved", place.own);
    auto const obstacle = place.own / ".git/objects/pack" / name;
    fs::create_directories(obstacle / "in the way");
    place.check_refused(commit, "cannot be taken over");
    fs::remove_all(obstacle);
    CHECK(place.fetch(commit).empty());
    at(place.own, "git fsck --strict --no-dangling; git rev-list --objects --quiet " + commit);
  }
}

TEST_CASE("FetchedCommit.IsFetchedAgainAfterAKilledProcess") {
  Fetching const place;
  auto const commit = place.act("echo two >a.txt; git commit -qam second");
  at(place.scratch.path(),
     "mkdir -p incoming/objects/pack; echo rubbish >incoming/objects/pack/pack-1.pack; echo x "
     ">incoming/taken-1.pack");
  CHECK(place.fetch(commit).empty());
  CHECK(at(place.own, "find .git/objects -name pack-1.pack").empty());
}

// Whatever an agent does to its repository: the commit comes whole, or it is refused and nothing of it came.
TEST_CASE("FetchedCommit.SurvivesRandomActs") {
  constexpr std::array kActs{
      "echo $RANDOM >>a.txt; git commit -qam change",
      "git gc -q --prune=now",
      "git repack -qad",
      "f=$(find .git/objects -type f ! -name alternates | sort -R --random-source=/bin/sh | head -1); [ -z "
      "\"$f\" ] || { chmod u+w $f; echo x >>$f; }",
      "f=$(find .git/objects -type f ! -name alternates | sort -R --random-source=/bin/ls | head -1); [ -z "
      "\"$f\" ] || rm -f $f",
      "f=$(find .git/objects -name '*.idx' | head -1); [ -z \"$f\" ] || rm -f $f",
      "git config core.fsmonitor false; git config gc.auto 1",
      "echo ref: refs/heads/x/.lock >.git/refs/heads/odd",
      "git rev-parse HEAD >.git/shallow",
      "git replace HEAD HEAD~1",
      "echo \"$(git rev-parse HEAD)\" >.git/info/grafts",
      "git commit-graph write --reachable",
      "echo /nonexistent >>.git/objects/info/alternates",
      "git checkout -q --orphan lone; git commit -qm lone",
      "git merge -q --allow-unrelated-histories main",
      "rm -f .git/packed-refs",
  };
  std::mt19937 random{7};  // NOLINT(cert-msc51-cpp): each run shows the same acts
  int whole = 0;
  for (int round = 0; round < 30; ++round) {
    Fetching const place;
    auto commit = place.act("echo two >a.txt; git commit -qam second");
    std::string acts;
    for (int i = 0; i < 4; ++i) {
      acts += std::string{kActs.at(random() % kActs.size())} + "\n";
      at(place.agents,
         "(" + acts.substr(acts.rfind('\n', acts.size() - 2) + 1) + ") >/dev/null 2>&1 || true");
    }
    auto const now = at(place.agents, "git rev-parse --verify -q HEAD 2>/dev/null || true");
    if (!now.empty()) commit = now;
    CAPTURE(acts);
    auto const before = place.objects();
    if (place.fetch(commit).empty()) {
      ++whole;
      at(place.own, "git rev-list --objects --quiet " + commit);
    } else {
      CHECK(place.objects() == before);
    }
    at(place.own, "git fsck --no-dangling");
  }
  CHECK(whole > 5);
}
