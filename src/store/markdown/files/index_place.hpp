#pragma once

#include <filesystem>
#include <string>

namespace andon::store::markdown {

/// Where the index of a board lies: in a folder of `.andon` whose name is made of a secret of this user and
/// of what the file system knows the board's directory by. An index that came with a repository, an archive
/// or a copy lies under another name, so it is never opened, nor is a log of SQLite that was laid beside it.
/// `.andon/index.db` is a link to it, for people and their tools; where that is gone, the index is made anew.
class IndexPlace {
 public:
  /// In the folder `.andon`, which is there.
  explicit IndexPlace(std::filesystem::path own);

  std::filesystem::path const& file() const { return file_; }
  /// What a reader of the index opens. SQLite makes files beside a database, unless it is told that nobody
  /// can change it: on a disk that cannot be written, with no log left to be read.
  std::string to_read() const;
  /// Whether an index of ours is there to be opened.
  bool is_there() const;
  /// Throws StoreError{read_only} on a network file system, where the locks of a database cannot be trusted.
  void refuse_network() const;
  /// Makes the place ready for an index. The caller holds the board's lock.
  void prepare() const;

 private:
  std::filesystem::path own_;
  std::filesystem::path name_;  ///< of the index beneath it
  std::filesystem::path file_;
};

}  // namespace andon::store::markdown
