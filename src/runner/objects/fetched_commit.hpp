#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/git/git.hpp"

namespace andon::runner {

/// The bounds of one fetch.
struct FetchLimits {
  std::int64_t bytes = std::int64_t{2} << 30U;  ///< of the objects as they are packed
  std::int64_t objects = 1'000'000;
};

/// A commit to copy out of a repository that an agent may have written.
struct CommitFetch {
  Git const& from;
  Git const& to;
  std::string commit;
  std::vector<std::string> known{};  ///< commits of `to` that need not be copied again
  std::filesystem::path incoming{};  ///< a folder of `to` for objects that are not accepted yet
  FetchLimits limits{};
  /// A text for a file beside the pack with which git does not remove it (git-index-pack(1), `--keep`): no
  /// ref of `to` reaches its objects yet. Then the commit is copied even if it is there. Empty for no such
  /// file.
  std::string keep{};
};

/// Copies a commit with all that it needs. Believes nothing of what `from` says about its objects: the name
/// of each is computed from its content, its form is checked as by `git fsck`, and everything that it refers
/// to must be there. An object of `to` never changes. Nothing is copied when any of this fails; then returns
/// a sentence about the cause, otherwise an empty one. Only the objects of `from` are read, no ref.
std::string fetch_commit(CommitFetch const& fetch);

}  // namespace andon::runner
