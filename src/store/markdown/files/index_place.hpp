#pragma once

#include <filesystem>
#include <string>

namespace andon::store::markdown {

/// The place of a board's index: a folder in `.andon`. The name of the folder depends on a secret of this
/// user and on the file system's identity of the board's directory. An index that came with a repository, an
/// archive or a copy therefore has another name. It is never opened, nor is a log of SQLite that was put
/// beside it. `.andon/index.db` is a link to the index, for people and their tools. Without the link the
/// index is made anew.
class IndexPlace {
 public:
  /// `own` is the existing folder `.andon`.
  explicit IndexPlace(std::filesystem::path own);

  std::filesystem::path const& file() const { return file_; }
  /// The name under which a reader opens the index. SQLite creates files beside a database unless the name
  /// states that nothing can change it. The name states that on a read-only disk without a log to be read.
  std::string to_read() const;
  /// Whether an index that this user made here exists.
  bool is_there() const;
  /// Throws StoreError{read_only} on a network file system, where the locks of a database cannot be trusted.
  void refuse_network() const;
  /// Creates the folder and the link for an index. The caller holds the board's lock.
  void prepare() const;

 private:
  std::filesystem::path own_;
  std::filesystem::path name_;  ///< path of the index beneath `own_`
  std::filesystem::path file_;
};

}  // namespace andon::store::markdown
