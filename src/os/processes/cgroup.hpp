#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "core/time/time.hpp"
#include "os/files/descriptor.hpp"

namespace andon::os {

/// Processes that cannot leave one another by forking, a new session or the death of a parent: a directory of
/// the kernel's cgroup v2 tree and everything beneath it. Owns nothing: the group stays until `remove`.
class Cgroup {
 public:
  explicit Cgroup(std::filesystem::path directory) : directory_(std::move(directory)) {}

  std::filesystem::path const& directory() const { return directory_; }
  bool is_there() const;
  /// For `Command::cgroup`.
  Descriptor open() const;
  /// How many processes are in it now; zombies do not count.
  std::size_t size() const;
  /// Whether the kernel says that no process is left in it.
  bool is_empty() const;
  /// Kills all of them at once. A kernel before 5.14 has no such switch: there they are stopped, then killed
  /// one after the other.
  void kill() const;
  /// Kills until none is left; false when some would not die in time.
  bool end(core::Duration limit) const;
  /// Removes it with the groups its members made; false while a process is in one of them.
  bool remove() const;

 private:
  std::filesystem::path directory_;
};

/// Makes a group in a directory of the tree. Throws a `SystemError`.
Cgroup make_cgroup(std::filesystem::path const& parent, std::string const& name);

/// Where in the file system the cgroup v2 of a process lies, from its `/proc/PID/mountinfo` and
/// `/proc/PID/cgroup`. Nothing where no mounted tree shows it.
std::optional<std::filesystem::path> cgroup_directory(std::string_view mounts, std::string_view groups);

/// The group of a process, ours when none is named, when groups may be made in it and processes be born in
/// them: its owner was given it. What root may write because it is root belongs to the service manager,
/// unless that handed it over (`Delegate=`) or there is none above. Otherwise the sentence says why not.
std::expected<std::filesystem::path, std::string> delegated_cgroup(std::optional<pid_t> process = {});

}  // namespace andon::os
