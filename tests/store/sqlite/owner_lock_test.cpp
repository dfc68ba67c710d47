#include "store/sqlite/database/owner_lock.hpp"

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "support/scratch.hpp"

using namespace andon;
using store::sqlite::OwnerLock;

namespace {

/// A process that holds the lock of a database for a while, as one that has not become its program yet.
/// `owner` is the number in the file.
pid_t hold_lock(std::string const& database, pid_t owner, int milliseconds) {
  int const file = ::open((database + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(file >= 0);
  REQUIRE(::flock(file, LOCK_EX) == 0);
  auto const text = std::to_string(owner) + "\n";
  REQUIRE(::pwrite(file, text.data(), text.size(), 0) > 0);
  auto const child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::poll(nullptr, 0, milliseconds);
    ::_exit(0);
  }
  ::close(file);
  return child;
}

/// The number of a process that has ended.
pid_t ended_process() {
  auto const child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

}  // namespace

TEST_CASE("OwnerLock.IsTakenWhenWhatAKilledHolderLeftBehindLetsGo") {
  test::Scratch const scratch;
  auto const database = (scratch / "andon.db").native();
  auto const child = hold_lock(database, ended_process(), 200);
  CHECK_NOTHROW(OwnerLock{database});
  ::waitpid(child, nullptr, 0);
}

TEST_CASE("OwnerLock.OfALivingHolderIsRefusedAtOnce") {
  test::Scratch const scratch;
  auto const database = (scratch / "andon.db").native();
  auto const child = hold_lock(database, ::getpid(), 60'000);
  CHECK_THROWS_AS(OwnerLock{database}, store::StoreError);
  CHECK(::waitpid(child, nullptr, WNOHANG) == 0);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}
