#pragma once

#include <filesystem>

namespace andon::os {

/// An empty directory that only we may read, beneath the one for temporary files; it goes with this object.
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
