#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include "runner/worktrees/repository.hpp"

namespace andon::runner {

/// The server's own work tree of a board, in which accepted work is joined and checked. Nobody else works in
/// it; it is made anew when it is damaged.
class MergeTree {
 public:
  /// `folder` is where the board's work trees lie; `place` is what an earlier use made, and is kept up to
  /// date. What lies there when nothing is known of it is thrown away. `stop` as in `GitUse`.
  MergeTree(std::filesystem::path const& folder, std::optional<core::WorkPlace>& place, int stop = -1);

  /// The variables by which its git processes are told, also by a later life of this server.
  GitUse use() const { return {.marks = {{"ANDON_LANDING", directory_.native()}}, .stop = stop_}; }
  /// Whether a git of an earlier life still works. Then nothing may be begun: it may be moving files of a
  /// person's working tree.
  bool is_busy() const;
  /// Ends checks of an earlier life; what they left is nobody's.
  void end_checks() const;

  struct Joined {
    std::string commit;    ///< the work on top of `onto`; empty when it cannot be joined
    std::string conflict;  ///< why it cannot, for the worker
    std::string trouble;   ///< why it could not be tried
  };
  /// Puts the work on top of the default branch: as it is where it already stands there, else by a rebase,
  /// else, where its branch holds merges, by a merge.
  Joined join(Repository const& repository, std::string const& head);

  std::filesystem::path const& directory() const { return directory_; }
  /// Where checks get their marker from. Beside the tree, for what lies in the tree is not ours.
  std::filesystem::path const& run_directory() const { return run_directory_; }

 private:
  std::string make(Repository const& repository);
  std::string reset(Git const& tree, std::string const& commit) const;

  std::filesystem::path directory_;
  std::filesystem::path run_directory_;
  std::optional<core::WorkPlace>& place_;
  int stop_;
};

}  // namespace andon::runner
