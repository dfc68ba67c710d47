#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/time/time.hpp"
#include "os/files/descriptor.hpp"
#include "os/processes/call_thread.hpp"
#include "os/system_error.hpp"

namespace andon::store::markdown {

/// By what a file is known to be the same as before.
struct Stamp {
  std::int64_t size = 0;
  std::int64_t modified = 0;  ///< nanoseconds since 1970
  std::int64_t changed = 0;   ///< of the inode, likewise
  std::int64_t inode = 0;
  bool operator==(Stamp const&) const = default;
};

/// A time as a stamp tells it.
inline std::int64_t in_nanoseconds(core::Instant at) { return at.time_since_epoch().count() * 1'000'000; }

/// Longer than the tick of any kernel's clock for files (10 ms at 100 Hz), in nanoseconds.
inline constexpr std::int64_t kTick = 20'000'000;
/// How long the clock that set a time may have stood, in nanoseconds. Whole seconds come from a file system
/// that keeps no more: ext4 with small inodes, FAT with its steps of two seconds, some of FUSE.
std::int64_t tick_of(std::int64_t modified);

struct FileStatus {
  Stamp stamp;
  mode_t mode = 0;
  bool is_file = false;
};

struct Content {
  std::string text;
  FileStatus look;
};

/// What was written may be lost although the disk said otherwise: nothing more may be built upon it.
class FailedSync : public os::SystemError {
 public:
  using SystemError::SystemError;
};

enum class Exchange { done, no_such_file, not_possible };

/// The thread on which a board's files are touched; null where the caller may wait for them as long as it
/// takes.
using Calls = std::shared_ptr<os::CallThread>;

/// An open directory whose files are read and replaced by name. Symbolic links are not followed. Trouble is
/// thrown as `os::SystemError`.
class Directory {
 public:
  /// Beneath an open directory, with its thread, or anywhere.
  Directory(Directory const& parent, std::filesystem::path const& name);
  explicit Directory(std::filesystem::path const& path, Calls calls = {});

  /// Runs what touches files beside these functions where they run. The call owns what it uses.
  template <class Call>
  auto on_its_thread(Call call) const {
    return calls_ ? calls_->run(std::move(call)) : call();
  }

  std::filesystem::path const& path() const { return path_; }
  FileStatus look() const;
  /// Nothing when there is no such name.
  std::optional<FileStatus> look(std::string const& name) const;
  /// The same of several.
  std::vector<std::optional<FileStatus>> look(std::vector<std::string> names) const;
  /// Visits the names that a task's file can have, with their inodes.
  void each_name(std::function<void(std::string_view name, std::int64_t inode)> const& visit) const;
  /// Nothing when there is no such file.
  std::optional<Content> read(std::string const& name, std::size_t limit) const;
  void set_mode(std::string const& name, mode_t mode) const;
  void remove(std::string const& name) const;
  /// Writes a new file and waits until it is on disk.
  FileStatus write_new(std::string const& name, std::string_view text, mode_t mode) const;
  /// Writes a file from `at` on, ends it there, and waits until it is on disk. Makes it when it is not there.
  void write_on(std::string const& name, std::int64_t at, std::string_view text) const;
  /// Cuts a file to so many bytes without waiting for the disk, when it is there.
  void cut(std::string const& name, std::int64_t size) const;
  /// All names, in no order.
  std::vector<std::string> names() const;
  /// Moves a file of this directory over a name of another one.
  void move(std::string const& name, Directory const& to, std::string const& new_name) const;
  /// The same to a name that is free; false when there is such a file, or none to be moved.
  bool move_to_free(std::string const& name, Directory const& to, std::string const& new_name) const;
  /// Exchanges a file of this directory with one of another in one step.
  Exchange exchange(std::string const& name, Directory const& with, std::string const& its_name) const;
  /// Sets the directory's own time of modification, in nanoseconds since 1970; false when it may not be set.
  bool set_modified(std::int64_t at) const;
  /// Whether only this machine changes it, so that inotify tells of every change. False when in doubt.
  bool is_on_this_machine() const;
  /// Waits until the names are on disk.
  void sync() const;

 private:
  /// Names with their inodes.
  using Entries = std::vector<std::pair<std::string, std::int64_t>>;

  /// Runs a function of the directory on its thread, with arguments of its own.
  template <class Result, class... Parameters, class... Arguments>
  Result guarded(Result (Directory::*function)(Parameters...) const, Arguments... arguments) const {
    if (!calls_) return (this->*function)(arguments...);
    return calls_->run(
        [at = *this, function, ... own = std::move(arguments)] { return (at.*function)(own...); });
  }
  FileStatus look_here() const;
  std::optional<FileStatus> look_at(std::string const& name) const;
  std::vector<std::optional<FileStatus>> look_at_all(std::vector<std::string> const& names) const;
  Entries entries_here() const;
  std::optional<Content> read_here(std::string const& name, std::size_t limit) const;
  void set_mode_here(std::string const& name, mode_t mode) const;
  void remove_here(std::string const& name) const;
  FileStatus write_new_here(std::string const& name, std::string const& text, mode_t mode) const;
  void write_on_here(std::string const& name, std::int64_t at, std::string const& text) const;
  void cut_here(std::string const& name, std::int64_t size) const;
  void move_here(std::string const& name, Directory const& to, std::string const& new_name) const;
  bool move_to_free_here(std::string const& name, Directory const& to, std::string const& new_name) const;
  Exchange exchange_here(std::string const& name, Directory const& with, std::string const& its_name) const;
  bool set_modified_here(std::int64_t at) const;
  bool is_on_this_machine_here() const;
  void sync_here() const;

  std::filesystem::path path_;
  Calls calls_;
  std::shared_ptr<os::Descriptor const> handle_;
};

}  // namespace andon::store::markdown
