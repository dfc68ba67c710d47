#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <random>
#include <set>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "store/contract/examination.hpp"
#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/open.hpp"
#include "support/builders.hpp"
#include "support/scratch.hpp"

using namespace andon;

namespace {

std::string child_program() {
  auto const self = std::filesystem::read_symlink("/proc/self/exe");
  return (self.parent_path() / "store_child").native();
}

/// A process of its own that works on a store and writes to us.
class Child {
 public:
  Child(std::string mode, std::string const& path) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    auto program = child_program();
    std::string path_text = path;
    std::array<char*, 4> arguments{program.data(), mode.data(), path_text.data(), nullptr};
    REQUIRE(posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
  }
  ~Child() {
    if (output_) std::fclose(output_);
  }
  Child(Child const&) = delete;

  /// The next number the child wrote; nothing at the end.
  std::optional<std::int64_t> next() {
    long long number = 0;
    if (std::fscanf(output_, "%lld", &number) != 1) return std::nullopt;
    return number;
  }
  void kill() { ::kill(pid_, SIGKILL); }
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    return status;
  }

 private:
  pid_t pid_ = 0;
  std::FILE* output_ = nullptr;
};

}  // namespace

TEST_CASE("Crashes.LoseNothingThatWasAcknowledged") {
  test::Scratch scratch;
  auto const path = (scratch / "andon.db").native();
  std::mt19937 random{11};
  std::set<core::TaskId> acknowledged;
  for (int round = 0; round < 50; ++round) {
    Child child{"write", path};
    for (auto left = random() % 60; left > 0; --left) {
      auto const id = child.next();
      REQUIRE(id);
      acknowledged.emplace(*id);
    }
    child.kill();
    while (auto const id = child.next()) acknowledged.emplace(*id);
    child.wait();
    CHECK_FALSE(acknowledged.contains(-1));

    auto const store = store::open_store("sqlite:" + path);
    store->read([&](store::Tx& tx) {
      for (auto const id : acknowledged) CHECK(tx.task(id).has_value());
      auto const tasks = tx.count({});
      auto const events = tx.events({0, {}, {}, {}, {}, 1'000'000, false});
      CHECK(static_cast<std::int64_t>(events.size()) == tasks);
      CHECK(tx.last_seq() == tasks);
      if (auto const* board = tx.board("crash")) CHECK(tx.load(board->id).columns["todo"] == tasks);
    });
  }
  CHECK(acknowledged.size() > 500);
}

TEST_CASE("FullDisks.RefuseWritesAndHealBySelf") {
  test::Scratch scratch;
  Child child{"fill", (scratch / "andon.db").native()};
  auto const written = child.next();
  auto const kept = child.next();
  auto const refused_kind = child.next();
  auto const healed = child.next();
  CHECK(WEXITSTATUS(child.wait()) == 0);
  REQUIRE(healed);
  CHECK(*written > 0);
  CHECK(*kept == *written);
  CHECK(*refused_kind == static_cast<std::int64_t>(store::StoreError::Kind::no_space));
  CHECK(*healed == *written + 1);
}

TEST_CASE("FullDisks.RefuseWhatIsLargerThanTheMemoryForItAndHealBySelf") {
  test::Scratch scratch;
  auto const path = (scratch / "andon.db").native();
  Child child{"burst", path};
  auto const written = child.next(), kept = child.next(), refused_kind = child.next(), healed = child.next();
  CHECK(WEXITSTATUS(child.wait()) == 0);
  REQUIRE(healed);
  CHECK(*written == *kept);
  CHECK(*refused_kind == static_cast<std::int64_t>(store::StoreError::Kind::no_space));
  CHECK(*healed == 1);
  CHECK(std::ranges::count(store::examine_database(path), store::Finding::Kind::fault,
                           &store::Finding::kind) == 0);
}

TEST_CASE("FailedSyncs.EndTheProcessBeforeAnythingIsAcknowledged") {
  test::Scratch scratch;
  auto const path = (scratch / "andon.db").native();
  Child child{"sync", path};
  std::set<core::TaskId> acknowledged;
  for (auto id = child.next(); id && *id != 0; id = child.next()) acknowledged.emplace(*id);
  CHECK_FALSE(child.next());
  CHECK(WEXITSTATUS(child.wait()) == 70);
  CHECK(acknowledged.size() == 10);
  store::open_store("sqlite:" + path)->read([&](store::Tx& tx) {
    for (auto const id : acknowledged) CHECK(tx.task(id).has_value());
  });
}

TEST_CASE("FailedSyncs.UnderLoadEndTheProcessBeforeMoreIsAcknowledged") {
  test::Scratch scratch;
  auto const path = (scratch / "andon.db").native();
  Child child{"fail", path};
  std::set<core::TaskId> acknowledged;
  while (auto const id = child.next()) acknowledged.emplace(*id);
  CHECK(WEXITSTATUS(child.wait()) == 70);
  CHECK_FALSE(acknowledged.contains(-1));
  CHECK(acknowledged.size() >= 100);
  store::open_store("sqlite:" + path)->read([&](store::Tx& tx) {
    for (auto const id : acknowledged) CHECK(tx.task(id).has_value());
  });
}

TEST_CASE("Readers.SeeOnlyWhatIsOnTheDisk") {
  test::Scratch scratch;
  Child child{"watch", (scratch / "andon.db").native()};
  std::set<core::TaskId> acknowledged;
  for (auto id = child.next(); id && *id != 0; id = child.next()) acknowledged.emplace(*id);
  auto const looks = child.next(), too_early = child.next();
  CHECK(WEXITSTATUS(child.wait()) == 0);
  CHECK(acknowledged.size() >= 1'000);
  CHECK_FALSE(acknowledged.contains(-1));
  REQUIRE(too_early);
  CHECK(*looks > 0);
  CHECK(*too_early == 0);
}

TEST_CASE("NewStores.KilledAtAnyWriteAreFinishedByTheNext") {
  int killed = 0;
  for (bool survives = false; !survives; ++killed) {
    REQUIRE(killed < 1'000);
    CAPTURE(killed);
    test::Scratch scratch;
    auto const path = (scratch / "andon.db").native();
    Child child("die:" + std::to_string(killed), path);
    auto const status = child.wait();
    survives = WIFEXITED(status);
    auto const store = store::open_store("sqlite:" + path);
    core::Board const board = test::a_board("after");
    store::write(*store, [&](store::Tx& tx) { return tx.add(board), store::Outcome::commit; });
  }
  CHECK(killed > 20);
}

TEST_CASE("Commits.ReachTheLogInFewPieces") {
  test::Scratch scratch;
  Child child{"pieces", (scratch / "andon.db").native()};
  auto const writes = child.next();
  CHECK(WEXITSTATUS(child.wait()) == 0);
  REQUIRE(writes);
  CHECK(*writes > 0);
  CHECK(*writes < 10);
}

TEST_CASE("Commits.LargerThanTheMemoryForThemAreWhole") {
  test::Scratch scratch;
  auto const path = (scratch / "andon.db").native();
  Child child{"spill", path};
  auto const read = child.next(), kept = child.next();
  CHECK(WTERMSIG(child.wait()) == SIGKILL);
  CHECK(read == 2'000);
  CHECK(kept == 2'000);
  auto store = store::open_store("sqlite:" + path);
  std::int64_t whole = 0;
  store->read([&](store::Tx& tx) {
    for (int id = 1; id <= 2'000; ++id)
      if (tx.body(core::TaskId{id}) == std::to_string(id) + std::string(10'000, 'b')) ++whole;
  });
  CHECK(whole == 2'000);
  store.reset();
  CHECK(std::ranges::count(store::examine_database(path), store::Finding::Kind::fault,
                           &store::Finding::kind) == 0);
}
