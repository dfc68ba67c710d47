#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace andon::store::markdown {

/// The endings by which the names of an index's files differ.
using Endings = std::span<std::string_view const>;

/// The place of a board's index: a folder in `.andon`. The name of the folder depends on a secret of this
/// user and on the file system's identity of the board's directory. An index that came with a repository, an
/// archive or a copy therefore has another name. It is never opened, nor is a log of a database that was put
/// beside it. `.andon/index.db` is a link to the index, for people and their tools. Without the link the
/// index is made anew.
class IndexPlace {
 public:
  /// `own` is the existing folder `.andon`.
  explicit IndexPlace(std::filesystem::path own);

  std::filesystem::path const& file() const { return file_; }
  /// Whether an index that this user made here exists.
  bool is_there() const;
  /// Throws StoreError{read_only} on a network file system, where the locks of a database cannot be trusted.
  void refuse_network() const;
  /// Creates the folder and the link for an index. The caller holds the board's lock.
  void prepare(Endings endings) const;

 private:
  std::filesystem::path own_;
  std::filesystem::path name_;  ///< path of the index beneath `own_`
  std::filesystem::path file_;
};

}  // namespace andon::store::markdown
