#pragma once

#include <optional>
#include <vector>

#include "core/time/time.hpp"
#include "os/files/directory_watch.hpp"
#include "store/markdown/index/placement.hpp"

namespace andon::store::markdown {

/// Saves the next command from listing the directory after this one has written to it. Who writes a file
/// changes the directory, and somebody else may add one in the same tick of the file system's clock; so a
/// directory that was just written would have to be listed. Instead its time is set back a little, so that
/// every later change shows, and inotify tells whether anybody changed a name before that.
class NamesWatch {
 public:
  /// Begins, before the names are looked at.
  void begin(Directory const& tasks);
  /// The state by which the directory is known from now on. Nothing when others changed names since `begin`,
  /// or when the file system would not tell; then nothing until the next `begin`, for the names that were
  /// looked at are no longer all. `written` are the files that this process has put in their places since the
  /// last call.
  std::optional<Stamp> settle(Directory const& tasks, std::vector<NewFile> const& written, core::Instant now);

 private:
  std::optional<Stamp> settled(Directory const& tasks, std::vector<NewFile> const& written,
                               core::Instant now);

  std::optional<os::DirectoryWatch> watch_;
};

}  // namespace andon::store::markdown
