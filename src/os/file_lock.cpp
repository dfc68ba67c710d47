#include "os/file_lock.hpp"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>

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
  auto held = try_take_unsigned(path);
  if (held) sign(held->file_, path);
  return held;
}

std::optional<FileLock> FileLock::try_take_unsigned(std::filesystem::path const& path) {
  auto file = open_lock(path);
  if (!lock(file, LOCK_EX | LOCK_NB, path)) return std::nullopt;
  return FileLock{std::move(file)};
}

FileLock FileLock::take(std::filesystem::path const& path) {
  auto held = take_unsigned(path);
  sign(held.file_, path);
  return held;
}

FileLock FileLock::take_unsigned(std::filesystem::path const& path) {
  auto file = open_lock(path);
  lock(file, LOCK_EX, path);
  return FileLock{std::move(file)};
}

/// A line of /proc/locks: `1: FLOCK  ADVISORY  WRITE PID MAJOR:MINOR:INODE 0 EOF`; one of somebody who waits
/// has
/// `->` behind the number. Devices are not compared: some file systems tell another one there.
std::optional<pid_t> lock_holder(std::filesystem::path const& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return std::nullopt;
  auto const inode = ":" + std::to_string(about.st_ino);
  std::ifstream locks{"/proc/locks"};
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words{line};
    std::string number, kind, how, what, place;
    pid_t pid = 0;
    if (!(words >> number >> kind >> how >> what >> pid >> place)) continue;
    if (kind == "FLOCK" && pid > 0 && place.ends_with(inode)) return pid;
  }
  return std::nullopt;
}

std::optional<pid_t> lock_owner(std::filesystem::path const& path) {
  auto const text = read_file_if_there(path, 64);
  pid_t pid = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), pid).ec != std::errc{}) return {};
  return pid;
}

}  // namespace andon::os
