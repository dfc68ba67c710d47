#include "os/files/plain_path.hpp"

#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace andon::os {
namespace {

namespace fs = std::filesystem;

constexpr int kOnTheWay = O_PATH | O_DIRECTORY;

Descriptor failed(int number) {
  errno = number;
  return Descriptor{};
}

Descriptor open_at_once(int directory, fs::path const& path, int flags, Reach reach, mode_t mode) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  how.mode = mode;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  if (reach == Reach::beneath) how.resolve |= RESOLVE_BENEATH;
  return Descriptor{static_cast<int>(::syscall(SYS_openat2, directory, path.c_str(), &how, sizeof how))};
}

bool is_link(int directory, fs::path const& name) {
  struct stat about{};
  return ::fstatat(directory, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode);
}

/// Opens one name. With O_DIRECTORY the kernel calls a link no directory, and with O_PATH it opens the link.
Descriptor open_part(int directory, fs::path const& name, int flags, mode_t mode) {
  Descriptor opened{::openat(directory, name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, mode)};
  if (!opened) {
    auto const number = errno;
    return failed(number == ENOTDIR && is_link(directory, name) ? ELOOP : number);
  }
  struct stat about{};
  if ((flags & O_PATH) != 0 && ::fstat(opened.get(), &about) == 0 && S_ISLNK(about.st_mode))
    return failed(ELOOP);
  return opened;
}

std::vector<fs::path> names_in(fs::path const& path) {
  std::vector<fs::path> out;
  for (auto const& part : path.relative_path())
    if (!part.empty() && part != ".") out.push_back(part);
  if (out.empty()) out.emplace_back(".");
  return out;
}

Descriptor open_by_parts(int directory, fs::path const& path, int flags, Reach reach, mode_t mode) {
  if (path.empty()) return failed(ENOENT);
  if (reach == Reach::beneath && path.is_absolute()) return failed(EXDEV);
  auto const parts = names_in(path);
  auto const* start = path.is_absolute() ? "/" : ".";
  Descriptor above{::openat(directory, start, kOnTheWay | O_CLOEXEC)};
  for (std::size_t at = 0; above && at + 1 < parts.size(); ++at) {
    if (reach == Reach::beneath && parts[at] == "..") return failed(EXDEV);
    above = open_part(above.get(), parts[at], kOnTheWay, 0);
  }
  if (!above) return above;
  if (reach == Reach::beneath && parts.back() == "..") return failed(EXDEV);
  bool const ends_in_slash = path.has_relative_path() && !path.has_filename();
  return open_part(above.get(), parts.back(), ends_in_slash ? flags | O_DIRECTORY : flags, mode);
}

}  // namespace

Descriptor open_plain(int directory, fs::path const& path, int flags, Reach reach, mode_t mode) {
  auto opened = open_at_once(directory, path, flags, reach, mode);
  if (opened || errno != ENOSYS) return opened;
  return open_by_parts(directory, path, flags, reach, mode);
}

}  // namespace andon::os
