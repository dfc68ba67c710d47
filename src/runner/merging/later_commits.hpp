#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/git/git.hpp"
#include "service/runs/revert.hpp"

namespace andon::runner {

/// A commit that changed some files after landed work.
struct LaterCommit {
  std::string id;
  std::string short_id;
  std::string subject;
};

/// The commits that a default branch got since some work landed on it: each one the only change between two
/// states of the branch, a merge too.
class LaterCommits {
 public:
  /// `own` is the landed work in question, newest first.
  LaterCommits(Git const& git, std::string const& tip, std::vector<core::Landing> const& own,
               service::LandedWorks const& known);

  /// False when the branch did not go from one state to the next one, such as after a person's merge the
  /// other way round. Then only names are known.
  bool is_line() const { return !order_.empty(); }
  /// The commits that changed some of the files and count, oldest first. Own work does not count, and neither
  /// does work that was taken back, nor the commit that did so. All that count when no file is named.
  std::vector<LaterCommit> touching(std::vector<std::string> const& files) const;
  /// The later commits in words, by the tasks they belong to: `#12 "Title" (abc1234)`.
  std::string names(std::vector<LaterCommit> const& commits) const;
  /// The task whose work a commit is.
  service::LandedWork const* work_of(std::string const& commit) const;

 private:
  struct Range {
    std::size_t after;
    std::size_t last;
    bool contains(std::size_t place) const { return place > after && place <= last; }
  };
  std::optional<Range> range(std::string const& onto, std::string const& commit) const;
  void leave_out(std::string const& onto, std::string const& commit);
  bool counts(std::string const& commit) const;

  Git const& git_;
  std::string since_;
  std::string tip_;
  service::LandedWorks const& known_;
  std::map<std::string, std::size_t, std::less<>> order_;  ///< the states of the branch, from the oldest on
  std::vector<Range> left_out_;
};

}  // namespace andon::runner
