#pragma once

#include <filesystem>

namespace andon::os {

/// An empty directory for temporary files that only this user may read. The destructor removes it.
class ScratchDirectory {
 public:
  /// Lies in the directory that the system has for such files. Throws SystemError.
  ScratchDirectory();
  /// Lies in `parent`, which need not be there. Also removes what processes that were killed left in it more
  /// than a day ago. Throws SystemError.
  explicit ScratchDirectory(std::filesystem::path const& parent);
  ~ScratchDirectory();
  ScratchDirectory(ScratchDirectory const&) = delete;
  ScratchDirectory& operator=(ScratchDirectory const&) = delete;

  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace andon::os
