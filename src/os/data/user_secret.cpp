#include "os/data/user_secret.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "os/data/data_directory.hpp"
#include "os/files/file.hpp"
#include "os/random.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytes = 32;
constexpr std::size_t kDigits = 2 * kBytes;

fs::path absolute_home() {
  if (auto chosen = path_variable("HOME"); chosen.is_absolute()) return chosen;
  auto const* entry = ::getpwuid(::geteuid());
  return entry ? fs::path{entry->pw_dir} : fs::path{};
}

std::vector<fs::path> places() {
  std::vector<fs::path> out;
  if (auto const state = path_variable("XDG_STATE_HOME"); state.is_absolute()) out.push_back(state / "andon");
  if (auto const own = absolute_home(); !own.empty()) out.push_back(own / ".local/state/andon");
  out.push_back("/tmp/andon-" + std::to_string(::geteuid()));
  return out;
}

/// Whether this user owns the file or directory and no other user may write to it.
bool is_private(struct stat const& about) {
  return about.st_uid == ::geteuid() && (about.st_mode & 0022U) == 0;
}

std::optional<std::string> kept_in(fs::path const& directory) {
  struct stat about{};
  if (::lstat(directory.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || !is_private(about))
    return std::nullopt;
  Descriptor const file{
      ::open((directory / "secret").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  if (!file || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode) || !is_private(about))
    return std::nullopt;
  std::string digits(kDigits, '\0');
  if (::read(file.get(), digits.data(), digits.size()) != static_cast<ssize_t>(kDigits)) return std::nullopt;
  return digits;
}

/// When several processes make a secret at once, the first one wins.
void make_in(fs::path const& directory) try {
  make_private_directory(directory);
  auto const name = directory / ("secret." + random_hex(8));
  write_file(name, random_hex(kBytes) + "\n");
  [[maybe_unused]] auto const linked = ::link(name.c_str(), (directory / "secret").c_str());
  ::unlink(name.c_str());
} catch (SystemError const&) {
  return;
}

}  // namespace

std::string user_secret() {
  for (auto const& place : places())
    if (auto digits = kept_in(place)) return *std::move(digits);
  for (auto const& place : places()) {
    make_in(place);
    if (auto digits = kept_in(place)) return *std::move(digits);
  }
  throw SystemError("keep a secret of this user in", places().front().native(), EACCES);
}

}  // namespace andon::os
