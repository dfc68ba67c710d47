#pragma once

#include <filesystem>

#include "os/files/scratch_directory.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {

// Andon's own index of the files of a work tree. It lies in the clone's folder, which no sandbox opens: git
// looks only at files that differ from it in size, time or inode, so an index that an agent wrote could hide
// changes.

/// The folder with the index of a work tree. `clone` is the clone's folder.
std::filesystem::path index_folder(std::filesystem::path const& clone, std::filesystem::path const& tree);

/// Keeps the index of a work tree that Andon has just filled with files.
void keep_index(std::filesystem::path const& clone, std::filesystem::path const& tree);
/// Forgets the index of a work tree that was removed.
void forget_index(std::filesystem::path const& clone, std::filesystem::path const& tree);

/// A copy of the kept index, for one look at the files. Without a kept one, the copy is empty, and git reads
/// every file.
class WorkIndex {
 public:
  WorkIndex(Repository const& clone, std::filesystem::path const& tree);

  std::filesystem::path const& file() const { return file_; }
  /// The folder with the copy, which goes with this object.
  std::filesystem::path const& folder() const { return copy_.path(); }
  /// Makes this copy the kept index.
  void keep() const;

 private:
  std::filesystem::path folder_;
  os::ScratchDirectory copy_;
  std::filesystem::path file_;
};

}  // namespace andon::runner
