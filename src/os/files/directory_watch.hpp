#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// What happened in watched directories. A change that is done when `take` is called is told by it, on file
/// systems of this machine; changes made elsewhere (network file systems) are never told. Thread-safe.
class DirectoryWatch {
 public:
  using Key = std::int64_t;
  struct Touched {
    std::set<std::string> names;
    bool everything = false;  ///< names were lost, or the directory itself is another one now
  };

  DirectoryWatch();
  /// Tells of names in the directory under `key`; of several directories under one key together. False when
  /// the kernel has no watch left for this user, so that somebody has to look; nothing is taken from it
  /// before the first directory.
  bool add(Key key, std::filesystem::path const& directory);
  void remove(Key key);

  std::map<Key, Touched> take();
  /// Waits until something was touched that was not taken, `wake` was called, or the time is over. True for
  /// the first.
  bool wait(int milliseconds);
  /// Ends a `wait`.
  void wake();

 private:
  void collect();
  void note(int watch, std::uint32_t what, char const* name);

  Descriptor bell_;
  std::mutex mutex_;
  Descriptor events_;               ///< guarded by mutex_
  std::map<int, Key> watches_;      ///< guarded by mutex_
  std::map<Key, Touched> touched_;  ///< guarded by mutex_
};

}  // namespace andon::os
