#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// An exclusive lock on a file, held as long as the object lives and freed by the kernel when the process
/// dies. The file says who held it last.
class FileLock {
 public:
  /// Nothing when another process holds it.
  static std::optional<FileLock> try_take(std::filesystem::path const& path);
  /// Waits until it is free.
  static FileLock take(std::filesystem::path const& path);
  /// The same without a word in the file, for one that others keep, such as git.
  static FileLock take_unsigned(std::filesystem::path const& path);
  static std::optional<FileLock> try_take_unsigned(std::filesystem::path const& path);

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

/// Who holds the lock at this moment; nothing when nobody does. Does not touch the lock.
std::optional<pid_t> lock_holder(std::filesystem::path const& path);

/// The same for messages: its number, its command, and whether it is stopped.
std::string lock_holder_in_words(std::filesystem::path const& path);

/// The process that wrote its number into the lock file last, for messages.
std::optional<pid_t> lock_owner(std::filesystem::path const& path);

}  // namespace andon::os
