#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "os/files/file.hpp"
#include "os/processes/process.hpp"

namespace andon::test {

/// Mounts a disk of 16 MiB that only this process and its children see. False where that is not allowed.
inline bool mount_small_disk(std::filesystem::path const& where) {
  auto const user = std::to_string(::geteuid());
  auto const group = std::to_string(::getegid());
  bool const is_root = ::geteuid() == 0;
  if (::unshare(is_root ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
  if (!is_root) {
    std::ofstream{"/proc/self/setgroups"} << "deny";
    std::ofstream{"/proc/self/uid_map"} << user << " " << user << " 1";
    std::ofstream{"/proc/self/gid_map"} << group << " " << group << " 1";
  }
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", where.c_str(), "tmpfs", 0, "size=16m") == 0;
}

/// Fills a disk until it has this many bytes left.
inline void fill_disk(std::filesystem::path const& where, std::uint64_t left) {
  struct statvfs about{};
  if (::statvfs(where.c_str(), &about) != 0) return;
  auto const free = about.f_bavail * about.f_frsize;
  std::ofstream{where / "filler"} << std::string(free > left ? free - left : 0, 'x');
}

/// Runs `act` in a process of its own that has a small disk at `where`. The text that `act` returns; nothing
/// where no disk can be mounted.
inline std::optional<std::string> on_small_disk(std::filesystem::path const& where,
                                                std::function<std::string()> const& act) {
  std::filesystem::create_directories(where);
  auto const report = where.native() + ".report";
  std::filesystem::remove(report);
  auto const child = ::fork();
  if (child == 0) {
    try {
      if (mount_small_disk(where)) os::write_file(report, act());
    } catch (...) {
      os::write_file(report, "an exception");
    }
    ::_exit(0);
  }
  os::reap(child);
  return os::read_file_if_there(report, 1U << 20U);
}

}  // namespace andon::test
