#pragma once

#include "os/data/awaited_lock.hpp"

namespace andon::store::markdown {

/// The lock of a board, `.lock`. Each command holds it for a short time.
class BoardLock {
 public:
  explicit BoardLock(std::filesystem::path path) : path_(path), lock_(std::move(path)) {}

  /// Waits for the lock, but not for ever: a command that is stopped, or hangs on a disk, keeps the lock.
  /// Throws StoreError{unreachable}, which names the holder.
  os::FileLock take();

 private:
  std::filesystem::path path_;
  os::AwaitedLock lock_;
};

}  // namespace andon::store::markdown
