#pragma once

#include <filesystem>

namespace andon::os {

/// An empty directory for temporary files that only this user may read. The destructor removes it.
class ScratchDirectory {
 public:
  /// Throws SystemError.
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(ScratchDirectory const&) = delete;
  ScratchDirectory& operator=(ScratchDirectory const&) = delete;

  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace andon::os
