#include "os/files/beneath.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

/// Non-blocking, so that a pipe in place of a file does not hold the caller.
constexpr int kAtOnce = O_NONBLOCK | O_NOCTTY;
constexpr mode_t kPrivateFile = 0600;
constexpr mode_t kPrivateDirectory = 0700;

/// How often a file is made whose directory another call removes at the same moment.
constexpr int kMostAttempts = 100;

/// Returns the size of a regular file, and refuses any other.
std::size_t checked_size(Descriptor const& file, std::filesystem::path const& name) {
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) fail("look at", name.native());
  if (!S_ISREG(about.st_mode))
    throw SystemError("use", name.native(), S_ISDIR(about.st_mode) ? EISDIR : EINVAL);
  return static_cast<std::size_t>(about.st_size);
}

/// Opens a name beneath a directory; an empty descriptor when there is none.
Descriptor open_if_there(Descriptor const& top, std::filesystem::path const& name, int flags) try {
  return open_beneath(top, name, flags);
} catch (SystemError const& error) {
  if (error.number() == ENOENT) return Descriptor{};
  throw;
}

/// Makes the directories above the file, without following a link.
void make_directories_above(Descriptor const& top, std::filesystem::path const& file) {
  std::filesystem::path made;
  for (auto const& part : file.parent_path()) {
    auto const parent = open_beneath(top, made.empty() ? "." : made, O_PATH | O_DIRECTORY);
    if (::mkdirat(parent.get(), part.c_str(), kPrivateDirectory) != 0 && errno != EEXIST)
      fail("make the directory", (made / part).native());
    made /= part;
  }
}

std::filesystem::path parent_of(std::filesystem::path const& name) {
  return name.has_parent_path() ? name.parent_path() : ".";
}

/// Makes a file with its directories. `remove_beneath` may remove one of them while it is still empty.
Descriptor make_new(Descriptor const& top, std::filesystem::path const& name) {
  for (int attempt = 1;; ++attempt) {
    try {
      make_directories_above(top, name);
      return open_beneath(top, name, O_WRONLY | O_CREAT | O_EXCL | kAtOnce, kPrivateFile);
    } catch (SystemError const& error) {
      if (error.number() != ENOENT || attempt == kMostAttempts) throw;
    }
  }
}

/// Waits until the entries of all directories on the way to the file are on the disk.
void sync_directories_above(Descriptor const& top, std::filesystem::path const& file) {
  for (auto above = file.parent_path();; above = above.parent_path()) {
    auto const parent = open_beneath(top, above.empty() ? "." : above, O_RDONLY | O_DIRECTORY);
    if (::fsync(parent.get()) != 0) fail("write", above.native());
    if (above.empty()) return;
  }
}

}  // namespace

std::optional<std::string> read_beneath(std::filesystem::path const& directory,
                                        std::filesystem::path const& name, std::size_t limit) {
  auto const file = open_if_there(open_directory(directory), name, O_RDONLY | kAtOnce);
  if (!file) return std::nullopt;
  // One byte more than there is shows the end of the file.
  std::string out(std::min(checked_size(file, name), limit) + 1, '\0');
  std::size_t used = 0;
  while (used <= limit) {
    if (used == out.size()) out.resize(std::min(2 * used, limit + 1));  // it has grown
    auto const n = ::read(file.get(), out.data() + used, out.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", name.native());
    if (n == 0) break;
    used += static_cast<std::size_t>(n);
  }
  if (used > limit) throw SystemError("read", name.native(), EFBIG);
  out.resize(used);
  return out;
}

void write_beneath(std::filesystem::path const& directory, std::filesystem::path const& name,
                   std::string_view content) {
  auto const top = open_directory(directory);
  make_directories_above(top, name);
  auto const file = open_beneath(top, name, O_WRONLY | O_CREAT | kAtOnce, kPrivateFile);
  checked_size(file, name);
  if (::ftruncate(file.get(), 0) != 0) fail("write", name.native());
  write_all(file, content, name.native());
}

void write_new_beneath(std::filesystem::path const& directory, std::filesystem::path const& name,
                       std::string_view content) {
  auto const top = open_directory(directory);
  auto const file = make_new(top, name);
  try {
    write_all(file, content, name.native());
    if (::fsync(file.get()) != 0) fail("write", name.native());
    sync_directories_above(top, name);
  } catch (SystemError const&) {
    remove_beneath(directory, name);
    throw;
  }
}

void remove_beneath(std::filesystem::path const& directory, std::filesystem::path const& name) {
  auto const top = open_directory(directory);
  auto const parent = open_if_there(top, parent_of(name), O_PATH | O_DIRECTORY);
  if (!parent) return;
  if (::unlinkat(parent.get(), name.filename().c_str(), 0) != 0 && errno != ENOENT)
    fail("remove", name.native());
  for (auto above = name.parent_path(); !above.empty(); above = above.parent_path()) {
    auto const from = open_if_there(top, parent_of(above), O_PATH | O_DIRECTORY);
    if (!from || ::unlinkat(from.get(), above.filename().c_str(), AT_REMOVEDIR) != 0) return;
  }
}

bool is_directory_beneath(std::filesystem::path const& directory, std::filesystem::path const& name) try {
  return static_cast<bool>(open_if_there(open_directory(directory), name, O_PATH | O_DIRECTORY));
} catch (SystemError const& error) {
  if (error.number() == ENOTDIR || error.number() == ELOOP) return false;
  throw;
}

}  // namespace andon::os
