#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "os/data/file_lock.hpp"

namespace andon::os {

/// Takes a lock that others hold for moments, without waiting for ever where one of them stands still: in
/// turn with the others as long as it has patience. Used by one thread.
class AwaitedLock {
 public:
  explicit AwaitedLock(std::filesystem::path path) : path_(std::move(path)) {}

  /// Nothing when others kept it all the time. Once that happened they are not waited for again until they
  /// gave it back.
  std::optional<FileLock> take(std::chrono::milliseconds patience);

 private:
  struct Turn;

  std::filesystem::path path_;
  std::shared_ptr<Turn> turn_;  ///< of a wait that was given up and has not ended
};

}  // namespace andon::os
