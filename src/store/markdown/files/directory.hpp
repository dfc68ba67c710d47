#pragma once

#include <cstddef>
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
#include "store/engine/file_table.hpp"

namespace andon::store::markdown {

using Stamp = engine::FileStamp;

/// A time in the unit of a stamp, nanoseconds since 1970.
inline std::int64_t in_nanoseconds(core::Instant at) { return at.time_since_epoch().count() * 1'000'000; }

/// In nanoseconds; longer than the tick of any kernel's clock for files (10 ms at 100 Hz).
inline constexpr std::int64_t kTick = 20'000'000;
/// How long the clock that set the time `modified` may have stood still, in nanoseconds. A time in whole
/// seconds comes from a file system that stores no more: ext4 with small inodes, FAT with steps of two
/// seconds, some of FUSE.
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

/// FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo).
std::int64_t hash_of(std::string_view bytes);

/// Thrown when a sync failed: written data may be lost although the disk reported success. Nothing more may
/// be based on that data.
class FailedSync : public os::SystemError {
 public:
  using SystemError::SystemError;
};

enum class Exchange { done, no_such_file, not_possible };

/// The thread for calls on a board's files. Null when the caller may wait for the files as long as they take.
using Calls = std::shared_ptr<os::CallThread>;

/// An open directory whose files are read and replaced by name. It does not follow symbolic links. Errors are
/// thrown as `os::SystemError`.
class Directory {
 public:
  /// Opens a directory beneath an open one, with the same thread, or a directory at any path.
  Directory(Directory const& parent, std::filesystem::path const& name);
  explicit Directory(std::filesystem::path const& path, Calls calls = {});

  /// Runs another call on files on the directory's thread. The call must own all it uses.
  template <class Call>
  auto on_its_thread(Call call) const {
    return calls_ ? calls_->run(std::move(call)) : call();
  }

  std::filesystem::path const& path() const { return path_; }
  FileStatus look() const;
  /// Returns nothing when the name does not exist.
  std::optional<FileStatus> look(std::string const& name) const;
  /// Looks at several names.
  std::vector<std::optional<FileStatus>> look(std::vector<std::string> names) const;
  /// Visits the names that the file of a task can have, with their inodes.
  void each_name(std::function<void(std::string_view name, std::int64_t inode)> const& visit) const;
  /// Returns nothing when the file does not exist.
  std::optional<Content> read(std::string const& name, std::size_t limit) const;
  void set_mode(std::string const& name, mode_t mode) const;
  void remove(std::string const& name) const;
  /// Writes a new file and waits until it is on disk.
  FileStatus write_new(std::string const& name, std::string_view text, mode_t mode) const;
  /// Writes a file from `at` on, ends it there, and waits until it is on disk. Creates a missing file.
  void write_on(std::string const& name, std::int64_t at, std::string_view text) const;
  /// Truncates a file, if it exists, to `size` bytes without waiting for the disk.
  void cut(std::string const& name, std::int64_t size) const;
  /// All names in the directory, in no order.
  std::vector<std::string> names() const;
  /// Moves a file of this directory to a name in another one and replaces the file there.
  void move(std::string const& name, Directory const& to, std::string const& new_name) const;
  /// Moves a file to a free name in another directory. False when that name exists or the file to move does
  /// not.
  bool move_to_free(std::string const& name, Directory const& to, std::string const& new_name) const;
  /// Exchanges a file of this directory with a file of another one in one step.
  Exchange exchange(std::string const& name, Directory const& with, std::string const& its_name) const;
  /// Sets the directory's own modification time, in nanoseconds since 1970; false when the file system
  /// refuses.
  bool set_modified(std::int64_t at) const;
  /// Whether only this machine changes the directory, so that inotify reports every change. False when in
  /// doubt.
  bool is_on_this_machine() const;
  /// Waits until the names of the directory are on disk.
  void sync() const;

 private:
  /// Names with their inodes.
  using Entries = std::vector<std::pair<std::string, std::int64_t>>;

  /// Runs a member function on the directory's thread, with copies of the arguments.
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
