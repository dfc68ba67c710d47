#include "store/markdown/files/git_state.hpp"

#include <string_view>
#include <sys/stat.h>

#include "os/system_error.hpp"

namespace andon::store::markdown {
namespace {

namespace fs = std::filesystem;

/// In nanoseconds.
constexpr std::int64_t kOldLock = 10'000'000'000;
constexpr std::size_t kLongestPointer = 4096;
constexpr std::string_view kPointer = "gitdir: ";

/// The stamp of a file; all zero when it does not exist.
Stamp stamp_of(fs::path const& path) {
  struct stat about{};
  if (::lstat(path.c_str(), &about) != 0) return {};
  auto const nanoseconds = [](timespec const& at) {
    return std::int64_t{at.tv_sec} * 1'000'000'000 + at.tv_nsec;
  };
  return {about.st_size, nanoseconds(about.st_mtim), nanoseconds(about.st_ctim),
          static_cast<std::int64_t>(about.st_ino)};
}

/// The git directory of a level. In a linked work tree `.git` is a file that names the directory.
fs::path git_directory(fs::path const& level) try {
  struct stat about{};
  if (::lstat((level / ".git").c_str(), &about) != 0) return {};
  if (S_ISDIR(about.st_mode)) return level / ".git";
  auto const content = Directory{level}.read(".git", kLongestPointer);
  if (!content || !content->text.starts_with(kPointer)) return {};
  auto const name = content->text.substr(kPointer.size());
  return level / name.substr(0, name.find_first_of("\r\n"));
} catch (os::SystemError const&) {
  return {};
}

fs::path git_above(fs::path const& root) {
  std::error_code none;
  for (auto level = fs::absolute(root, none); level.has_relative_path(); level = level.parent_path())
    if (auto git = git_directory(level); !git.empty()) return git;
  return {};
}

}  // namespace

GitState GitState::of(fs::path const& root) {
  GitState out;
  out.git_ = git_above(root);
  return out.again();
}

GitState GitState::again() const {
  auto out = *this;
  if (git_.empty()) return out;
  out.index_ = stamp_of(git_ / "index");
  out.lock_ = stamp_of(git_ / "index.lock");
  return out;
}

bool GitState::is_working(core::Instant now) const {
  return lock_ != Stamp{} && in_nanoseconds(now) - lock_.modified < kOldLock;
}

}  // namespace andon::store::markdown
