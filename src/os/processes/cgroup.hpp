#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/time/time.hpp"
#include "os/files/descriptor.hpp"

namespace andon::os {

/// A set of processes that cannot leave by a fork, a new session or the death of a parent. It is a directory
/// of the kernel's cgroup v2 tree with everything beneath it. The object owns nothing: the group stays until
/// `remove`.
class Cgroup {
 public:
  explicit Cgroup(std::filesystem::path directory) : directory_(std::move(directory)) {}

  std::filesystem::path const& directory() const { return directory_; }
  bool is_there() const;
  /// Opens the directory, for `Command::cgroup`.
  Descriptor open() const;
  /// The number of processes in the group now, without zombies.
  std::size_t size() const;
  /// The processes in the group and the groups beneath it.
  std::vector<pid_t> processes() const;
  /// Limits memory in bytes, processes and the weight, where the kernel has that controller here; 0 for none.
  void limit(std::int64_t memory, std::int64_t processes, std::int64_t cpu_weight) const;
  /// True when the kernel has ended a process of the group at the limit of its memory.
  bool ran_out_of_memory() const;
  /// Whether the kernel reports that the group has no process.
  bool is_empty() const;
  /// Kills all processes at once. A kernel before 5.14 cannot; there the processes are frozen and killed one
  /// by one.
  void kill() const;
  /// Kills until the group is empty; false when processes remain at the time limit.
  bool end(core::Duration limit) const;
  /// Removes the group and the groups beneath it; false while one of them has a process.
  bool remove() const;

 private:
  std::filesystem::path directory_;
};

/// Makes a group in a directory of the cgroup tree. Throws a `SystemError`.
Cgroup make_cgroup(std::filesystem::path const& parent, std::string const& name);

/// The directory of a process's cgroup v2, from its `/proc/PID/mountinfo` and `/proc/PID/cgroup`. Nothing if
/// no mounted tree shows the cgroup.
std::optional<std::filesystem::path> cgroup_directory(std::string_view mounts, std::string_view groups);

/// The cgroup of a process (default: this one) if Andon may make groups and start processes in it. The group
/// must be delegated to its owner. A group that root can write only as root belongs to the service manager,
/// unless it is handed over (`Delegate=`) or there is no manager above. Otherwise returns a sentence with the
/// reason.
std::expected<std::filesystem::path, std::string> delegated_cgroup(std::optional<pid_t> process = {});

}  // namespace andon::os
