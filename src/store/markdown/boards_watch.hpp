#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "os/directory_watch.hpp"

namespace andon::store::markdown {

/// Tells of changes in the directories of boards, as far as the kernel lets this user watch them, and wakes
/// who waits for them. Thread-safe.
class BoardsWatch {
 public:
  using Key = os::DirectoryWatch::Key;
  using Touched = os::DirectoryWatch::Touched;

  BoardsWatch();
  /// False when there is no watch left, so that somebody has to look.
  bool add(Key key, std::filesystem::path const& directory);
  void remove(Key key);

  std::map<Key, Touched> take();
  /// Waits until something was touched that was not taken, `wake` was called, or the time is over; -1 is for
  /// ever. True for the first.
  bool wait(int milliseconds);
  void wake();

 private:
  bool wait_for_bell(int milliseconds);

  std::optional<os::DirectoryWatch> watch_;
  // The bell, where there is no watch to wait for
  std::mutex mutex_;
  std::condition_variable rung_;
  bool is_rung_ = false;  ///< guarded by mutex_
};

}  // namespace andon::store::markdown
