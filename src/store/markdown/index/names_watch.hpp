#pragma once

#include <optional>
#include <vector>

#include "core/time/time.hpp"
#include "os/files/directory_watch.hpp"
#include "store/markdown/index/placement.hpp"

namespace andon::store::markdown {

/// Saves the next command from listing the directory after this one has written to it. Writing a file changes
/// the directory's time. Another program may add a file in the same tick of the file system's clock, so the
/// new time alone proves nothing. Therefore this class sets the directory's time back a little, so that every
/// later change alters it. inotify reports whether another program changed a name before that.
class NamesWatch {
 public:
  /// Begins the watch; call it before the names are listed.
  void begin(Directory const& tasks);
  /// The stamp by which the directory is recognised from now on. Nothing when another program changed names
  /// since `begin`, or when the file system does not support the method. Then it returns nothing until the
  /// next `begin`, because the listed names are no longer complete. `written` are the files that this process
  /// has put in place since the last call.
  std::optional<Stamp> settle(Directory const& tasks, std::vector<NewFile> const& written, core::Instant now);

 private:
  std::optional<Stamp> settled(Directory const& tasks, std::vector<NewFile> const& written,
                               core::Instant now);

  std::optional<os::DirectoryWatch> watch_;
};

}  // namespace andon::store::markdown
