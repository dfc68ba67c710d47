#pragma once

#include <cstdint>
#include <filesystem>

#include "core/time/time.hpp"
#include "store/markdown/files/directory.hpp"

namespace andon::store::markdown {

/// The repository around a board, if there is one. git changes files one after the other: it holds
/// `index.lock` meanwhile, and puts the new index in place when it has. Files that were read are of one state
/// when git was idle before the first and its index is the same after the last.
class GitState {
 public:
  /// The state of the repository that `root` lies in, or that one of its parents is.
  static GitState of(std::filesystem::path const& root);

  /// True while git changes files. An older lock was left behind, or waits for a person who writes a message.
  bool is_working(core::Instant now) const;
  /// The state as it is now.
  GitState again() const;
  bool operator==(GitState const&) const = default;

 private:
  std::filesystem::path git_;  ///< the directory with the index; empty outside of a repository
  Stamp index_;
  Stamp lock_;
};

}  // namespace andon::store::markdown
