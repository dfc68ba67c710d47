#pragma once

#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "runner/git/path_filters.hpp"
#include "runner/worktrees/work_index.hpp"

namespace andon::runner {

/// The files of a work tree that differ from a commit.
struct ChangedPaths {
  std::vector<std::string> present;  ///< changed and new ones
  std::vector<std::string> gone;
  std::vector<core::LeftOut> left_out;  ///< what git cannot put into a commit

  bool empty() const { return present.empty() && gone.empty() && left_out.empty(); }
};

/// The files of a work tree, as the git of Andon's clone sees them over an index of its own. All functions
/// throw `GitFailure` when git fails.
class WorkFiles {
 public:
  /// `head` is a commit that the clone has. Files are read as the filters make them.
  WorkFiles(Repository const& clone, Git const& tree, std::string head, HeldFilters const& held = {});

  /// Lets git read every file at the next look, whether or not it seems unchanged: other attributes may make
  /// another content of it. Git would go on to use attribute files that are gone from the tree and not from
  /// the index, so they are taken from there.
  void forget_known(std::vector<std::string> const& gone_attributes);

  /// The files that differ from the index: at first from the commit.
  ChangedPaths changed() const;
  /// The filter that the attributes in the tree name for each path; none for paths without one.
  PathFilters filters_in_tree(std::vector<std::string> const& paths) const;
  /// The filter that the attributes of a commit name for each path.
  PathFilters filters_at(std::string const& commit, std::vector<std::string> const& paths) const;
  /// Puts files into the index. Returns those that git refuses, with its words.
  std::vector<core::LeftOut> add(std::vector<std::string> const& present,
                                 std::vector<std::string> const& gone);
  /// Commits the index on top of the commit. The same commit when nothing differs.
  std::string commit(std::string const& author, std::string const& message);

  /// How many files a sparse checkout left out of the tree. They count as unchanged.
  std::size_t absent() const { return absent_; }
  HeldFilters const& held() const { return git_.use().filters; }
  /// A folder for git, which goes with this object.
  std::filesystem::path const& scratch() const { return index_.folder(); }

  /// Keeps the index for the next look. One of a sparse checkout hides files that a later look must see.
  void keep() const {
    if (absent_ == 0) index_.keep();
  }

 private:
  GitAnswer with_input(Git const& git, std::vector<std::string> const& arguments,
                       std::vector<std::string> const& paths) const;
  void start();
  void remove(std::vector<std::string> const& paths);
  void mark_sparse();
  void add_filled_folders(std::vector<core::LeftOut>& out) const;
  void add_batch(std::vector<std::string> const& batch, std::vector<core::LeftOut>& refused, int& calls);

  Git const& tree_;
  WorkIndex index_;
  Git git_;
  std::string head_;
  std::size_t absent_ = 0;  ///< files that a sparse checkout left out, which count as unchanged
};

}  // namespace andon::runner
