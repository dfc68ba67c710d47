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

/// True for a group with the user as its only member. Many systems make one for each user.
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

/// True for the group of this process if the group database has no entry for it, as in many containers.
bool is_nameless_group_of_this_process(gid_t group) { return group == ::getegid() && !::getgrgid(group); }

bool is_group_of_others(Stat const& about) {
  return !is_private_group(about.st_gid, about.st_uid) && !is_private_group(about.st_gid, ::geteuid()) &&
         !is_nameless_group_of_this_process(about.st_gid);
}

bool others_can_write(Stat const& about) {
  return (about.st_mode & S_IWOTH) != 0 || ((about.st_mode & S_IWGRP) != 0 && is_group_of_others(about));
}

bool others_can_read(Stat const& about) {
  return (about.st_mode & S_IROTH) != 0 || ((about.st_mode & S_IRGRP) != 0 && is_group_of_others(about));
}

/// In a directory with the sticky bit, such as `/tmp`, nobody can replace what belongs to somebody else.
bool others_can_replace_in(Stat const& directory) {
  return others_can_write(directory) && (directory.st_mode & S_ISVTX) == 0;
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

std::optional<Exposure> exposure_by_mode(fs::path const& file, Stat const& about) {
  if (!others_can_write(about)) return std::nullopt;
  return Exposure{file, about.st_mode & 07777U,
                  file.native() + " can be written by others (mode " + octal(about.st_mode) +
                      "); look at it, then: chmod go-w " + file.native()};
}

Exposure replaceable(fs::path const& what, Stat const& about, fs::path const& holder, Stat const& directory) {
  auto const remedy = is_trusted(directory.st_uid)
                          ? "chmod go-w " + holder.native()
                          : "chown " + std::to_string(::geteuid()) + " " + holder.native();
  bool const is_link = S_ISLNK(about.st_mode);
  std::string const danger =
      is_link ? " is a link, and others could put another in its place" : " could be replaced by others";
  std::string const way_out = is_link ? "name the place it leads to" : "use another place";
  return {holder, directory.st_mode & 07777U,
          what.native() + danger + ", for they can write " + holder.native() + " (mode " +
              octal(directory.st_mode) + "); " + way_out + ", or: " + remedy};
}

/// Checks one step of a path, from a directory to an entry of it: others must not be able to replace the
/// entry.
std::optional<Exposure> exposure_of_step(fs::path const& holder, fs::path const& entry) {
  Stat about{};
  bool const is_link = ::lstat(entry.c_str(), &about) == 0 && S_ISLNK(about.st_mode);
  if (is_link && !is_trusted(about.st_uid)) return foreign_owner(entry, about);
  Stat directory{};
  if (::stat(holder.c_str(), &directory) != 0) return std::nullopt;
  bool const is_of_stranger = is_link && !is_trusted(directory.st_uid) && (directory.st_mode & S_ISVTX) == 0;
  if (!is_of_stranger && !others_can_replace_in(directory)) return std::nullopt;
  return replaceable(entry, about, holder, directory);
}

std::deque<fs::path> parts_of(fs::path const& path) { return {path.begin(), path.end()}; }

}  // namespace

std::optional<Exposure> exposure_of_file(fs::path const& file) {
  Stat about{};
  if (::stat(file.c_str(), &about) != 0) return std::nullopt;
  if (!is_trusted(about.st_uid) && !(::geteuid() == 0 && is_of_its_directory(file, about)))
    return foreign_owner(file, about);
  return exposure_by_mode(file, about);
}

std::optional<Exposure> exposure_of_directory(fs::path const& directory) {
  Stat about{};
  if (::stat(directory.c_str(), &about) != 0) return std::nullopt;
  if (!is_trusted(about.st_uid) && ::geteuid() != 0) return foreign_owner(directory, about);
  return exposure_by_mode(directory, about);
}

/// Goes along the path as the kernel does, and looks at each step.
std::optional<Exposure> exposure_of_way(fs::path const& path) {
  auto left = parts_of(fs::absolute(path));
  fs::path gone;
  for (int links = 0; !left.empty();) {
    auto const part = left.front();
    left.pop_front();
    if (part == "." || part.empty()) continue;
    auto next = part == ".." ? gone.parent_path() : gone / part;
    if (!gone.empty() && part != "..")
      if (auto found = exposure_of_step(gone, next)) return found;
    std::error_code unreadable;
    if (!fs::is_symlink(next, unreadable)) {
      gone = std::move(next);
      continue;
    }
    auto const target = fs::read_symlink(next, unreadable);
    if (unreadable || ++links > kMostLinks) return std::nullopt;  // nothing can be opened there
    if (target.is_absolute()) gone.clear();
    auto beginning = parts_of(target);
    left.insert(left.begin(), beginning.begin(), beginning.end());
  }
  return std::nullopt;
}

std::optional<Exposure> exposure_of(fs::path const& file) {
  auto found = exposure_of_way(file);
  return found ? found : exposure_of_file(file);
}

std::optional<Exposure> disclosure_of(fs::path const& file) {
  Stat about{};
  if (::stat(file.c_str(), &about) != 0 || !others_can_read(about)) return std::nullopt;
  return Exposure{file, about.st_mode & 07777U,
                  file.native() + " holds a secret and can be read by others (mode " + octal(about.st_mode) +
                      "); look at it, then: chmod 600 " + file.native()};
}

}  // namespace andon::os
