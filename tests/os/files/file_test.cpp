#include "os/files/file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/data/file_lock.hpp"
#include "os/system_error.hpp"
#include "support/scratch.hpp"

using namespace andon;

namespace {

mode_t mode_of(std::filesystem::path const& path) {
  struct stat about{};
  REQUIRE(::stat(path.c_str(), &about) == 0);
  return about.st_mode & 0777U;
}

int error_of(auto&& action) {
  try {
    action();
  } catch (os::SystemError const& error) {
    return error.number();
  }
  return 0;
}

/// How many of this process wait for a lock.
std::ptrdiff_t waiting() {
  std::ifstream locks{"/proc/locks"};
  auto const own = " " + std::to_string(::getpid()) + " ";
  std::ptrdiff_t count = 0;
  for (std::string line; std::getline(locks, line);)
    count += line.contains("->") && line.contains(own) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("File.IsReplacedAsAWholeWithItsMode") {
  test::Scratch const scratch;
  os::write_file(scratch / "token", "first", 0644);
  os::write_file(scratch / "token", "second", 0600);
  CHECK(os::read_file(scratch / "token", 100) == "second");
  CHECK(mode_of(scratch / "token") == 0600);
  CHECK(std::distance(std::filesystem::directory_iterator{scratch.path()}, {}) == 1);
}

TEST_CASE("File.IsReadUpToItsLimit") {
  test::Scratch const scratch;
  os::write_file(scratch / "five", "12345");
  CHECK(os::read_file(scratch / "five", 5) == "12345");
  CHECK(error_of([&] { os::read_file(scratch / "five", 4); }) == EFBIG);
}

TEST_CASE("File.ErrorsNameThePathAndTheReason") {
  try {
    os::read_file("/nowhere/at-all", 10);
    FAIL("must not be readable");
  } catch (os::SystemError const& error) {
    CHECK(std::string{error.what()} == "cannot open /nowhere/at-all: No such file or directory");
  }
  CHECK(os::read_file_if_there("/nowhere/at-all", 10) == std::nullopt);
}

TEST_CASE("File.APipeInItsPlaceIsRefusedWithoutWaiting") {
  test::Scratch const scratch;
  REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
  CHECK(error_of([&] { os::read_file(scratch / "pipe", 10); }) == EINVAL);
}

TEST_CASE("File.NamesResolveOnlyBeneathTheirDirectory") {
  test::Scratch const scratch;
  os::make_private_directory(scratch / "inside/deep");
  CHECK(mode_of(scratch / "inside/deep") == 0700);
  os::write_file(scratch / "secret", "no");
  os::write_file(scratch / "inside/deep/file", "yes");
  std::filesystem::create_symlink(scratch / "secret", scratch / "inside/link");
  auto const inside = os::open_directory(scratch / "inside");
  CHECK(os::open_beneath(inside, "deep/file", O_RDONLY));
  CHECK(error_of([&] { os::open_beneath(inside, "../secret", O_RDONLY); }) == EXDEV);
  CHECK(error_of([&] { os::open_beneath(inside, "link", O_RDONLY); }) == ELOOP);
  CHECK(error_of([&] { os::open_beneath(inside, "/etc/passwd", O_RDONLY); }) == EXDEV);
}

TEST_CASE("FileLock.HasOneHolderWhoIsNamedInIt") {
  test::Scratch const scratch;
  {
    auto const held = os::FileLock::try_take(scratch / "lock");
    REQUIRE(held);
    CHECK_FALSE(os::FileLock::try_take(scratch / "lock"));
    CHECK(os::lock_owner(scratch / "lock") == ::getpid());
  }
  CHECK(os::FileLock::try_take(scratch / "lock"));
}

TEST_CASE("FileLock.ItsHolderIsFoundAmongThoseWhoWait") {
  test::Scratch const scratch;
  // One with somebody waiting on each side of it in the kernel's list.
  auto before = std::optional{os::FileLock::take(scratch / "before")};
  auto const held = os::FileLock::take(scratch / "lock");
  auto after = std::optional{os::FileLock::take(scratch / "after")};
  std::thread first{[&] { os::FileLock::take(scratch / "before"); }};
  std::thread second{[&] { os::FileLock::take(scratch / "after"); }};
  while (waiting() < 2) std::this_thread::yield();
  CHECK(os::lock_holder(scratch / "lock") == ::getpid());
  before.reset();
  after.reset();
  first.join();
  second.join();
}
