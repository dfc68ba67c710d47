#include "store/markdown/files/stable_read.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "store/markdown/sync/difference.hpp"
#include "store/markdown/yaml/by_hand.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::store::markdown;
using namespace andon::test;

namespace {

struct StoppedClock final : os::Clock {
  core::Instant now() const override { return at; }
  core::Duration uptime() const override { return core::Duration{0}; }
  core::ClockReading reading() const override { return {at, core::Duration{0}, core::Duration{0}, "boot"}; }
  core::Instant at = os::SystemClock{}.now();
};

/// A board in a repository.
struct Place : ByHand {
  Place() {
    std::filesystem::create_directories(git());
    std::filesystem::create_directories(root() / "tasks");
    write(git() / "index", "one");
    folder.emplace(root(), Access::write);
    folder->open_tasks("tasks");
  }
  std::filesystem::path git() const { return scratch.path() / "repo/.git"; }
  std::filesystem::path root() const { return scratch.path() / "repo/deep/kanban"; }
  void lock() { write(git() / "index.lock", ""); }

  Scratch scratch;
  StoppedClock clock;
  std::optional<BoardFolder> folder;
};

}  // namespace

TEST_CASE("StableRead.IsReachedWhereNothingIsMissed") {
  Place place;
  StableRead stable_read(*place.folder, place.clock);
  stable_read.begin();
  CHECK(stable_read.is_reached(std::nullopt));
}

TEST_CASE("StableRead.IsNotReachedWhileGitWorks") {
  Place place;
  StableRead stable_read(*place.folder, place.clock);
  place.lock();
  stable_read.begin();
  CHECK_FALSE(stable_read.is_reached(std::nullopt));
  CHECK(stable_read.wait());
  std::filesystem::rename(place.git() / "index.lock", place.git() / "index");
  CHECK_FALSE(stable_read.is_reached(std::nullopt));  // what was read meanwhile may be of both sides
  stable_read.begin();
  CHECK(stable_read.is_reached(std::nullopt));
}

TEST_CASE("StableRead.DoesNotWaitForALockThatWasLeftBehind") {
  Place place;
  place.lock();
  place.clock.at += std::chrono::seconds{11};
  StableRead stable_read(*place.folder, place.clock);
  stable_read.begin();
  CHECK(stable_read.is_reached(std::nullopt));
}

TEST_CASE("StableRead.FindsTheIndexOfALinkedWorkTree") {
  Place place;
  std::filesystem::remove_all(place.git());
  auto const elsewhere = place.scratch.path() / "main.git/worktrees/repo";
  std::filesystem::create_directories(elsewhere);
  ByHand::write(place.git(), "gitdir: ../main.git/worktrees/repo\n");
  ByHand::write(elsewhere / "index.lock", "");
  StableRead stable_read(*place.folder, place.clock);
  stable_read.begin();
  CHECK_FALSE(stable_read.is_reached(std::nullopt));
}

TEST_CASE("StableRead.WaitsAMomentForWhatIsMissed") {
  Place place;
  StableRead stable_read(*place.folder, place.clock);
  stable_read.begin();
  auto const now = in_nanoseconds(place.clock.at);
  CHECK_FALSE(stable_read.is_reached(now - 50'000'001));
  CHECK(stable_read.is_reached(now - 150'000'001));
  CHECK_FALSE(
      stable_read.is_reached(now / 1'000'000'000 * 1'000'000'000 - 1'000'000'000));  // of whole seconds
}

TEST_CASE("FilesOfWholeSeconds.AreReadAgainForTwoSeconds") {
  Place place;
  auto const file = place.root() / "tasks/001-x.md";
  ByHand::write(file, "one");
  auto const second = in_nanoseconds(place.clock.at) / 1'000'000'000;
  std::array const times{timespec{second, 0}, timespec{second, 0}};
  REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times.data(), 0) == 0);
  FileRow row;
  row.name = "001-x.md";
  row.stamp = place.folder->tasks().look(row.name)->stamp;
  row.hash = hash_of("two");  // what stood there when the row was made
  row.seen = (second + 1) * 1'000'000'000;
  CHECK(differs(row, *place.folder, place.clock.at));
  row.seen = (second + 3) * 1'000'000'000;
  CHECK_FALSE(differs(row, *place.folder, place.clock.at));
}
