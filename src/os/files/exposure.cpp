#include "os/files/exposure.hpp"

#include <array>
#include <cstdio>
#include <deque>
#include <grp.h>
#include <pwd.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace andon::os {
namespace {

namespace fs = std::filesystem;
using Stat = struct stat;

constexpr int kMostLinks = 40;  // as the kernel follows

std::string octal(mode_t mode) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%04o", mode & 07777U);
  return text.data();
}

bool is_trusted(uid_t user) { return user == ::geteuid() || user == 0; }

/// A group of the user's own name with nobody else in it, as many systems make for each user.
bool is_private_group(gid_t group, uid_t user) {
  auto const* owner = ::getpwuid(user);
  if (!owner || owner->pw_gid != group) return false;
  std::string const name = owner->pw_name;
  auto const* found = ::getgrgid(group);
  if (!found || found->gr_name != name) return false;
  for (char** member = found->gr_mem; *member; ++member)
    if (*member != name) return false;
  return true;
}

bool others_can_write(Stat const& about) {
  bool const by_group = (about.st_mode & S_IWGRP) != 0 && !is_private_group(about.st_gid, about.st_uid);
  return by_group || (about.st_mode & S_IWOTH) != 0;
}

/// Root looks after the directories of other users, such as that of a service.
bool is_of_its_directory(fs::path const& file, Stat const& about) {
  Stat directory{};
  return ::stat(file.parent_path().c_str(), &directory) == 0 && directory.st_uid == about.st_uid;
}

Exposure foreign_owner(fs::path const& path, Stat const& about) {
  return {path, about.st_mode & 07777U,
          path.native() + " (mode " + octal(about.st_mode) + ") belongs to user " +
              std::to_string(about.st_uid) + ", who could change it; look at it, then: chown -h " +
              std::to_string(::geteuid()) + " " + path.native()};
}

std::optional<Exposure> exposure_of_link(fs::path const& link, Stat const& about) {
  if (!is_trusted(about.st_uid)) return foreign_owner(link, about);
  Stat directory{};
  auto const holder = link.parent_path();
  if (::stat(holder.c_str(), &directory) != 0) return std::nullopt;
  bool const is_exposed = !is_trusted(directory.st_uid) || others_can_write(directory);
  if (!is_exposed || (directory.st_mode & S_ISVTX) != 0) return std::nullopt;
  auto const remedy = is_trusted(directory.st_uid)
                          ? "chmod go-w " + holder.native()
                          : "chown " + std::to_string(::geteuid()) + " " + holder.native();
  return Exposure{holder, directory.st_mode & 07777U,
                  link.native() +
                      " is a link, and others could put another in its place, for they can write " +
                      holder.native() + " (mode " + octal(directory.st_mode) +
                      "); name the place it leads to, or: " + remedy};
}

std::deque<fs::path> parts_of(fs::path const& path) { return {path.begin(), path.end()}; }

}  // namespace

std::optional<Exposure> exposure_of_file(fs::path const& file) {
  Stat about{};
  if (::stat(file.c_str(), &about) != 0) return std::nullopt;
  if (!is_trusted(about.st_uid) && !(::geteuid() == 0 && is_of_its_directory(file, about)))
    return foreign_owner(file, about);
  if (!others_can_write(about)) return std::nullopt;
  return Exposure{file, about.st_mode & 07777U,
                  file.native() + " can be written by others (mode " + octal(about.st_mode) +
                      "); look at it, then: chmod go-w " + file.native()};
}

/// Goes along the path as the kernel does, and looks at each link on the way.
std::optional<Exposure> exposure_of_links(fs::path const& path) {
  auto left = parts_of(fs::absolute(path));
  fs::path gone;
  for (int links = 0; !left.empty();) {
    auto const part = left.front();
    left.pop_front();
    auto next = part == ".." ? gone.parent_path() : part == "." || part.empty() ? gone : gone / part;
    Stat about{};
    if (::lstat(next.c_str(), &about) != 0) return std::nullopt;
    if (!S_ISLNK(about.st_mode)) {
      gone = std::move(next);
      continue;
    }
    if (auto found = exposure_of_link(next, about)) return found;
    std::error_code unreadable;
    auto const target = fs::read_symlink(next, unreadable);
    if (unreadable || ++links > kMostLinks) return std::nullopt;  // nothing can be opened there
    if (target.is_absolute()) gone.clear();
    auto beginning = parts_of(target);
    left.insert(left.begin(), beginning.begin(), beginning.end());
  }
  return std::nullopt;
}

std::optional<Exposure> exposure_of(fs::path const& file) {
  auto found = exposure_of_links(file);
  return found ? found : exposure_of_file(file);
}

}  // namespace andon::os
