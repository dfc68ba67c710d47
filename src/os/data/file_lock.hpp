#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// An exclusive lock on a file. The object holds it, and the kernel frees it when the process dies. The file
/// contains the number of its last holder.
class FileLock {
 public:
  /// Returns nothing when another process holds the lock.
  static std::optional<FileLock> try_take(std::filesystem::path const& path);
  /// Waits until the lock is free.
  static FileLock take(std::filesystem::path const& path);
  /// Like `take` and `try_take`, but writes nothing into the file: for lock files of other programs, such as
  /// git.
  static FileLock take_unsigned(std::filesystem::path const& path);
  static std::optional<FileLock> try_take_unsigned(std::filesystem::path const& path);

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

/// The process that holds the lock now, or nothing. Does not touch the lock.
std::optional<pid_t> lock_holder(std::filesystem::path const& path);

/// All processes that hold a lock of any kind on a part of the file, in order. Locks that belong to open
/// files and not to processes are not among them.
std::vector<pid_t> lock_holders(std::filesystem::path const& path);

/// A process for messages: its number and its command.
std::string process_in_words(pid_t pid);

/// The lock's holder for messages: its number, its command, and whether it is stopped.
std::string lock_holder_in_words(std::filesystem::path const& path);

/// The process that last wrote its number into the lock file, for messages.
std::optional<pid_t> lock_owner(std::filesystem::path const& path);

}  // namespace andon::os
