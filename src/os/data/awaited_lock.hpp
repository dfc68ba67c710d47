#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "os/data/file_lock.hpp"

namespace andon::os {

/// Takes a lock that other processes hold for moments. Waits in their queue, but never longer than
/// `patience`, in case one of them hangs. Used by one thread.
class AwaitedLock {
 public:
  explicit AwaitedLock(std::filesystem::path path) : path_(std::move(path)) {}

  /// Returns nothing when the lock stayed taken for all of `patience`. After that, `take` does not wait again
  /// until the lock was released.
  std::optional<FileLock> take(std::chrono::milliseconds patience);

 private:
  struct Turn;

  std::filesystem::path path_;
  std::shared_ptr<Turn> turn_;  ///< a wait that was given up and has not ended
};

}  // namespace andon::os
