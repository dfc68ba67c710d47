#include "os/files/plain_path.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>

#include <doctest/doctest.h>

#include "os/files/beneath.hpp"
#include "os/files/file.hpp"
#include "support/scratch.hpp"

using namespace andon;
namespace fs = std::filesystem;

namespace {

/// Takes openat2 from this thread, as a service of systemd with RestrictSUIDSGID does.
bool lose_openat2() {
  std::array rules{sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                   sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_openat2},
                   sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
                   sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  sock_fprog const filter{rules.size(), rules.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// The errno of an attempt; 0 for none.
int error_of(int directory, fs::path const& path, int flags, os::Reach reach) {
  errno = 0;
  return os::open_plain(directory, path, flags, reach) ? 0 : errno;
}

/// Checks with the call of the kernel, and again without it.
template <class Check>
void check_both_ways(Check check) {
  check();
  std::jthread([&] {
    if (lose_openat2()) check();
  }).join();
}

}  // namespace

TEST_CASE("PlainPath.LeadsThroughNoLinkWithAndWithoutOpenat2") {
  test::Scratch const scratch;
  os::make_private_directory(scratch / "real/deep");
  os::write_file(scratch / "real/file", "x");
  fs::create_directory_symlink(scratch / "real", scratch / "link");
  fs::create_symlink(scratch / "real/file", scratch / "file-link");
  auto const top = os::open_directory(scratch / "real");
  check_both_ways([&] {
    auto const anywhere = [&](char const* path, int flags) {
      return error_of(AT_FDCWD, scratch / path, flags, os::Reach::anywhere);
    };
    CHECK(anywhere("real/file", O_RDONLY) == 0);
    CHECK(anywhere("real/deep", O_RDONLY | O_DIRECTORY) == 0);
    CHECK(anywhere("real/deep/", O_RDONLY) == 0);
    CHECK(anywhere("link/file", O_RDONLY) == ELOOP);
    CHECK(anywhere("link", O_RDONLY | O_DIRECTORY) == ELOOP);
    CHECK(anywhere("file-link", O_RDONLY) == ELOOP);
    CHECK(anywhere("file-link", O_PATH) == ELOOP);
    CHECK(anywhere("real/file", O_RDONLY | O_DIRECTORY) == ENOTDIR);
    CHECK(anywhere("real/file/", O_RDONLY) == ENOTDIR);
    CHECK(anywhere("real/none/file", O_RDONLY) == ENOENT);
    auto const beneath = [&](char const* path, int flags) {
      return error_of(top.get(), path, flags, os::Reach::beneath);
    };
    CHECK(beneath("file", O_RDONLY) == 0);
    CHECK(beneath(".", O_RDONLY | O_DIRECTORY) == 0);
    CHECK(beneath("../real/file", O_RDONLY) == EXDEV);
    CHECK(beneath("..", O_RDONLY | O_DIRECTORY) == EXDEV);
    CHECK(beneath("/etc/passwd", O_RDONLY) == EXDEV);
    CHECK(beneath("", O_RDONLY) == ENOENT);
  });
}

TEST_CASE("PlainPath.MakesAndRemovesFilesWithAndWithoutOpenat2") {
  test::Scratch const scratch;
  check_both_ways([&] {
    os::write_new_beneath(scratch.path(), "a/b/c.md", "text");
    CHECK(os::read_beneath(scratch.path(), "a/b/c.md", 100) == "text");
    os::remove_beneath(scratch.path(), "a/b/c.md");
    CHECK_FALSE(os::read_beneath(scratch.path(), "a/b/c.md", 100));
  });
}
