#include "os/file_lock.hpp"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <string>
#include <sys/file.h>

#include "os/file.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

Descriptor open_lock(std::filesystem::path const& path) {
  Descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!file) fail("open the lock", path.native());
  return file;
}

bool lock(Descriptor const& file, int how, std::filesystem::path const& path) {
  while (::flock(file.get(), how) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) fail("lock", path.native());
  }
  return true;
}

void sign(Descriptor const& file, std::filesystem::path const& path) {
  if (::ftruncate(file.get(), 0) != 0) fail("write", path.native());
  write_all(file, std::to_string(::getpid()) + "\n", path.native());
}

}  // namespace

std::optional<FileLock> FileLock::try_take(std::filesystem::path const& path) {
  auto file = open_lock(path);
  if (!lock(file, LOCK_EX | LOCK_NB, path)) return std::nullopt;
  sign(file, path);
  return FileLock{std::move(file)};
}

FileLock FileLock::take(std::filesystem::path const& path) {
  auto file = open_lock(path);
  lock(file, LOCK_EX, path);
  sign(file, path);
  return FileLock{std::move(file)};
}

std::optional<pid_t> lock_owner(std::filesystem::path const& path) {
  auto const text = read_file_if_there(path, 64);
  pid_t pid = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), pid).ec != std::errc{}) return {};
  return pid;
}

}  // namespace andon::os
