#include <cerrno>
#include <string>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

#include "os/files/file.hpp"
#include "os/processes/cgroup.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestMountTable = 16U << 20U;

/// Removes the part before the first separator and returns it.
std::string_view take(std::string_view& rest, char separator) {
  auto const end = rest.find(separator);
  auto const part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return part;
}

/// Decodes octal escapes: the kernel writes blanks in paths as `\040` (proc(5), /proc/PID/mountinfo).
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size()) {
      out += static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 + (text[at + 3] - '0'));
      at += 3;
    } else {
      out += text[at];
    }
  }
  return out;
}

/// One mount: the root of the mounted tree, and its mount point.
struct Mount {
  std::string root;
  std::string point;
};

/// Parses `36 35 98:0 /root /point rw,noatime shared:1 - cgroup2 source options`.
std::optional<Mount> cgroup2_mount(std::string_view line) {
  auto const dash = line.find(" - ");
  if (dash == std::string_view::npos || !line.substr(dash + 3).starts_with("cgroup2 ")) return std::nullopt;
  for (int skipped = 0; skipped < 3; ++skipped) take(line, ' ');
  Mount mount{.root = unescaped(take(line, ' ')), .point = {}};
  mount.point = unescaped(take(line, ' '));
  return mount;
}

/// The path in the line of the version 2 tree, `0::/path`.
std::string own_group(std::string_view groups) {
  while (!groups.empty())
    if (auto const line = take(groups, '\n'); line.starts_with("0::/")) return std::string{line.substr(3)};
  return {};
}

/// The part of a path beneath a root; nothing when the path lies elsewhere.
std::optional<std::string> beneath(std::string const& path, std::string const& root) {
  if (root == "/") return path;
  if (!path.starts_with(root)) return std::nullopt;
  auto rest = path.substr(root.size());
  if (!rest.empty() && rest.front() != '/') return std::nullopt;
  return rest;
}

bool was_handed_over(fs::path const& group) {
  for (auto const* name : {"trusted.delegate", "user.delegate"}) {
    char value = 0;
    if (::getxattr(group.c_str(), name, &value, 1) == 1 && value == '1') return true;
  }
  return false;
}

/// Whether the kernel has clone3 and no filter forbids it. Without arguments the call does nothing and fails
/// with EINVAL.
bool can_be_born_in_groups() { return ::syscall(SYS_clone3, nullptr, 0) == -1 && errno == EINVAL; }

}  // namespace

std::optional<fs::path> cgroup_directory(std::string_view mounts, std::string_view groups) {
  auto const own = own_group(groups);
  // The group lies above the root of this cgroup namespace, so no path leads to it.
  if (own.empty() || own.starts_with("/..")) return std::nullopt;
  while (!mounts.empty()) {
    auto const mount = cgroup2_mount(take(mounts, '\n'));
    if (!mount) continue;
    if (auto const rest = beneath(own, mount->root))
      return rest->empty() || *rest == "/" ? fs::path{mount->point} : fs::path{mount->point + *rest};
  }
  return std::nullopt;
}

std::expected<fs::path, std::string> delegated_cgroup(std::optional<pid_t> process) try {
  auto const about = fs::path{"/proc"} / (process ? std::to_string(*process) : "self");
  auto const groups = read_file(about / "cgroup", kLargestMountTable);
  auto const directory = cgroup_directory(read_file(about / "mountinfo", kLargestMountTable), groups);
  if (!directory) return std::unexpected("no cgroup v2 tree is mounted here that shows the process");
  bool const is_ours = ::access(directory->c_str(), W_OK | X_OK) == 0 &&
                       ::access((*directory / "cgroup.procs").c_str(), W_OK) == 0;
  if (!is_ours) return std::unexpected(directory->native() + " may not be written");
  bool const nobody_is_above = own_group(groups) == "/";
  if (::geteuid() == 0 && !nobody_is_above && !was_handed_over(*directory))
    return std::unexpected(directory->native() +
                           " belongs to the service manager, which did not hand it over");
  if (!can_be_born_in_groups())
    return std::unexpected("the kernel is too old for clone3, or a filter of system calls forbids it");
  return *directory;
} catch (SystemError const& error) {
  return std::unexpected(error.what());  // without /proc no tree can be found
}

}  // namespace andon::os
