#pragma once

#include <filesystem>
#include <optional>

#include "os/data/awaited_lock.hpp"

namespace andon::store::markdown {

/// The lock of a board, `.lock`. Each command holds it for a short time.
class BoardLock {
 public:
  explicit BoardLock(std::filesystem::path path) : path_(path), lock_(std::move(path)) {}

  /// Waits for the lock, but not for ever: a command that is stopped, or hangs on a disk, keeps the lock.
  /// Throws StoreError{unreachable}, which names the holder.
  os::FileLock take();
  /// Takes the lock and keeps it until `release`.
  void hold() { held_ = take(); }
  void release() { held_.reset(); }
  bool is_held() const { return held_.has_value(); }

 private:
  std::filesystem::path path_;
  os::AwaitedLock lock_;
  std::optional<os::FileLock> held_;
};

}  // namespace andon::store::markdown
