#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "os/descriptor.hpp"

namespace andon::store::markdown {

/// By what a file is known to be the same as before.
struct Stamp {
  std::int64_t size = 0;
  std::int64_t modified = 0;  ///< nanoseconds since 1970
  std::int64_t changed = 0;   ///< of the inode, likewise
  std::int64_t inode = 0;
  bool operator==(Stamp const&) const = default;
};

struct Look {
  Stamp stamp;
  mode_t mode = 0;
  bool is_file = false;
};

struct Content {
  std::string text;
  Look look;
};

enum class Exchange { done, no_such_file, not_possible };

/// An open directory whose files are read and replaced by name. Symbolic links are not followed. Trouble is
/// thrown as `os::SystemError`.
class Directory {
 public:
  /// Beneath an open directory, or anywhere.
  Directory(Directory const& parent, std::filesystem::path const& name);
  explicit Directory(std::filesystem::path const& path);

  std::filesystem::path const& path() const { return path_; }
  Look look() const;
  /// Nothing when there is no such name.
  std::optional<Look> look(std::string const& name) const;
  /// Visits the names that a task's file can have, with their inodes.
  void each_name(std::function<void(std::string_view name, std::int64_t inode)> const& visit) const;
  /// Nothing when there is no such file.
  std::optional<Content> read(std::string const& name, std::size_t limit) const;
  void set_mode(std::string const& name, mode_t mode) const;
  void remove(std::string const& name) const;
  /// Writes a new file and waits until it is on disk.
  Look write_new(std::string const& name, std::string_view text, mode_t mode) const;
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
  std::filesystem::path path_;
  os::Descriptor handle_;
};

}  // namespace andon::store::markdown
