#include "os/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include "os/files/plain_path.hpp"
#include "os/random.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

/// Non-blocking, so that opening a pipe in place of a file does not wait for its writer.
constexpr int kReading = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

std::string read_all(Descriptor const& file, std::filesystem::path const& path, std::size_t limit) {
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) fail("look at", path.native());
  if (S_ISDIR(about.st_mode)) throw SystemError("read", path.native(), EISDIR);
  if (!S_ISREG(about.st_mode)) throw SystemError("read", path.native(), EINVAL);
  std::string content(std::min(limit + 1, static_cast<std::size_t>(about.st_size) + 1), '\0');
  std::size_t used = 0;
  while (true) {
    auto const n = ::read(file.get(), content.data() + used, content.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", path.native());
    if (n == 0) break;
    used += static_cast<std::size_t>(n);
    if (used > limit) throw SystemError("read", path.native(), EFBIG);
    if (used == content.size()) content.resize(std::min(limit + 1, used * 2));
  }
  content.resize(used);
  return content;
}

/// Calls `settle` on the new file before it replaces the old one.
void replace(std::filesystem::path const& path, std::string_view content, mode_t mode, bool (*settle)(int)) {
  auto const temporary = path.parent_path() / ("." + path.filename().native() + "." + random_hex(6));
  Descriptor file{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)};
  if (!file) fail("create", temporary.native());
  try {
    if (::fchmod(file.get(), mode) != 0) fail("set the mode of", temporary.native());
    write_all(file, content, temporary.native());
    if (!settle(file.get())) fail("write to disk", temporary.native());
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail("replace", path.native());
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace

std::string read_file(std::filesystem::path const& path, std::size_t limit) {
  Descriptor const file{::open(path.c_str(), kReading)};
  if (!file) fail("open", path.native());
  return read_all(file, path, limit);
}

std::optional<std::string> read_file_if_there(std::filesystem::path const& path, std::size_t limit) {
  Descriptor const file{::open(path.c_str(), kReading)};
  if (!file && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (!file) fail("open", path.native());
  return read_all(file, path, limit);
}

std::vector<std::string> read_lines(std::filesystem::path const& path, std::size_t limit) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return {};
  auto const text = read_file_if_there(path, limit).value_or("");
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

void write_all(Descriptor const& file, std::string_view content, std::string_view name) {
  while (!content.empty()) {
    auto const n = ::write(file.get(), content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write", name);
    content.remove_prefix(static_cast<std::size_t>(n));
  }
}

void write_file(std::filesystem::path const& path, std::string_view content, mode_t mode) {
  replace(path, content, mode, [](int file) { return ::fsync(file) == 0; });
  sync_directory(path.parent_path());
}

void write_passing_file(std::filesystem::path const& path, std::string_view content, mode_t mode) {
  replace(path, content, mode, [](int) { return true; });
}

void make_private_directory(std::filesystem::path const& path) {
  if (path.has_parent_path() && !std::filesystem::exists(path.parent_path()))
    make_private_directory(path.parent_path());
  if (::mkdir(path.c_str(), 0700) == 0) return;
  if (errno != EEXIST) fail("make the directory", path.native());
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) fail("look at", path.native());
  if (!S_ISDIR(about.st_mode)) throw SystemError("make the directory", path.native(), ENOTDIR);
}

void sync_directory(std::filesystem::path const& path) {
  auto const directory = open_directory(path.empty() ? "." : path);
  if (::fsync(directory.get()) != 0) fail("write to disk", path.native());
}

Descriptor open_directory(std::filesystem::path const& path) {
  Descriptor directory{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!directory) fail("open the directory", path.native());
  return directory;
}

Descriptor open_beneath(Descriptor const& directory, std::filesystem::path const& name, int flags,
                        mode_t mode) {
  auto file = open_plain(directory.get(), name, flags, Reach::beneath, mode);
  if (!file) fail("open", name.native());
  return file;
}

}  // namespace andon::os
