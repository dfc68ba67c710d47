#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include "runner/merging/changed_entries.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {

/// The server's own work tree of a board, in which it joins and checks accepted work. Nothing else works in
/// it. It is made anew when it is damaged.
class MergeTree {
 public:
  /// `folder` holds the board's work trees. `place` is the record of an earlier use; the tree updates it. A
  /// directory without a record is deleted. `use` is for all its git commands.
  MergeTree(std::filesystem::path const& folder, std::optional<core::WorkPlace>& place, GitUse use = {});

  /// The use of git with marker variables, by which a restarted server also recognises the processes.
  GitUse const& use() const { return use_; }
  /// Whether a git process of an earlier server still runs. Then nothing may begin, since it may be moving
  /// files in a person's working tree.
  bool is_busy() const;
  /// Ends checks of an earlier server; their results are discarded.
  void end_checks() const;

  struct Joined {
    std::string commit;                ///< the work on top of `onto`; empty when it cannot be joined
    std::string conflict;              ///< the conflict, for the worker
    std::string trouble;               ///< why joining could not be tried
    std::vector<std::string> files{};  ///< in conflict
  };
  /// Puts the work on top of the default branch. Work that is already there stays unchanged. Otherwise it is
  /// rebased, or merged if its branch contains merges.
  /// `again` keeps commits of which the default branch has copies: they may have been taken back since.
  /// `landed` are commits whose content is on the default branch, though they are not: what they contain is
  /// not replayed.
  Joined join(Repository const& repository, std::string const& head, bool again = false,
              std::vector<std::string> const& landed = {});
  /// Removes all files and the index, and returns the git of the tree: for merges of commits that nothing in
  /// the tree may influence, such as its attributes.
  std::expected<Git, std::string> empty(Repository const& repository);
  /// A commit like `commit`, in which these files are as they were before the change. Empty when it cannot be
  /// made. The tree holds neither afterwards.
  std::string with_old_files(std::string const& commit, std::vector<ChangedEntry> const& files);
  /// The object of the files of a commit; empty when there is none.
  std::string files_of(std::string const& commit) const;
  /// Puts the files of a commit into the tree. Returns the reason when it cannot.
  std::string check_out(std::string const& commit);

  std::filesystem::path const& directory() const { return directory_; }
  /// Its directories; call it only after the tree was made.
  core::WorkPlace const& place() const { return *place_; }
  /// The directory that marks the checks. It lies beside the tree, since work may write anything into the
  /// tree.
  std::filesystem::path const& run_directory() const { return run_directory_; }

 private:
  std::string make(Repository const& repository);
  std::string reset(Git const& tree, std::string const& commit) const;

  std::filesystem::path directory_;
  std::filesystem::path run_directory_;
  std::optional<core::WorkPlace>& place_;
  GitUse use_;
};

}  // namespace andon::runner
