#include "store/markdown/stillness.hpp"

#include <string>
#include <sys/stat.h>
#include <thread>

#include "os/system_error.hpp"
#include "store/markdown/difference.hpp"

namespace andon::store::markdown {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kLongestWait = 5s;
constexpr auto kMoment = 5ms;
/// In nanoseconds: an older lock of git was left behind, or waits for a person who writes a message.
constexpr std::int64_t kOldLock = 10'000'000'000;
/// In nanoseconds: within it a program that replaces a file has put the new one in place.
constexpr std::int64_t kReplacing = 100'000'000;
constexpr std::size_t kLongestPointer = 4096;
constexpr std::string_view kPointer = "gitdir: ";

/// Zero where there is none.
Stamp stamp_of(fs::path const& path) {
  struct stat about{};
  if (::lstat(path.c_str(), &about) != 0) return {};
  auto const nanoseconds = [](timespec const& at) {
    return std::int64_t{at.tv_sec} * 1'000'000'000 + at.tv_nsec;
  };
  return {about.st_size, nanoseconds(about.st_mtim), nanoseconds(about.st_ctim),
          static_cast<std::int64_t>(about.st_ino)};
}

/// In a linked work tree `.git` is a file that names the directory.
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

Stillness::Stillness(BoardFolder const& folder, os::Clock const& clock)
    : folder_(folder), clock_(clock), until_(Steady::now() + kLongestWait) {}

void Stillness::begin() {
  if (git_.empty()) git_ = git_above(folder_.root().path());
  before_ = git_state();
}

Stillness::GitState Stillness::git_state() const {
  if (git_.empty()) return {};
  return {stamp_of(git_ / "index"), stamp_of(git_ / "index.lock")};
}

bool Stillness::is_held(Stamp const& lock) const {
  return lock != Stamp{} && in_nanoseconds(clock_.now()) - lock.modified < kOldLock;
}

bool Stillness::is_reached(std::optional<std::int64_t> missed) const {
  auto const now = git_state();
  if (now != before_ || is_held(now.lock)) return false;
  auto const since = in_nanoseconds(clock_.now()) - missed.value_or(0);
  return !missed || since < 0 || since >= kReplacing + tick_of(*missed);
}

bool Stillness::wait() const {
  if (Steady::now() >= until_) return false;
  std::this_thread::sleep_for(kMoment);
  return true;
}

}  // namespace andon::store::markdown
