#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// Collects the changes in watched directories. On local file systems, `take` returns every change that is
/// complete when it is called. Changes by other machines (network file systems) never appear. Thread-safe.
class DirectoryWatch {
 public:
  using Key = std::int64_t;
  struct Touched {
    std::set<std::string> names;
    bool everything = false;  ///< names were lost, or the directory was replaced
  };

  DirectoryWatch();
  /// Watches a directory under `key`; directories with one key are reported together. False when the kernel
  /// has no watch left for this user: the caller must poll. Takes no kernel resource before the first
  /// directory.
  bool add(Key key, std::filesystem::path const& directory);
  void remove(Key key);

  std::map<Key, Touched> take();
  /// Waits until there is a change to take, `wake` is called, or the time is over. True for the first.
  bool wait(int milliseconds);
  /// Ends a `wait`.
  void wake();

 private:
  void collect();
  void note(int watch, std::uint32_t what, char const* name);

  Descriptor wake_up_;
  std::mutex mutex_;
  Descriptor events_;               ///< guarded by mutex_
  std::map<int, Key> watches_;      ///< guarded by mutex_
  std::map<Key, Touched> touched_;  ///< guarded by mutex_
};

}  // namespace andon::os
