#pragma once

#include <cstdint>
#include <filesystem>

#include "core/time/time.hpp"
#include "store/markdown/files/directory.hpp"

namespace andon::store::markdown {

/// The state of the git repository around a board, if there is one. git changes files one after the other. It
/// holds `index.lock` meanwhile and then puts the new index in place. Read files belong to one state when git
/// was idle before the first read and its index is unchanged after the last one.
class GitState {
 public:
  /// The state of the repository that contains `root`.
  static GitState of(std::filesystem::path const& root);

  /// Whether git is changing files. A lock older than ten seconds does not count: a process left it behind,
  /// or git waits for a person to write a message.
  bool is_working(core::Instant now) const;
  /// The present state of the same repository.
  GitState again() const;
  bool operator==(GitState const&) const = default;

 private:
  std::filesystem::path git_;  ///< the directory of git's index; empty outside a repository
  Stamp index_;
  Stamp lock_;
};

}  // namespace andon::store::markdown
