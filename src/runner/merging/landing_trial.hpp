#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "runner/merging/joined_checks.hpp"
#include "runner/merging/landing_judge.hpp"
#include "runner/merging/merge_tree.hpp"

namespace andon::runner {

/// The joined work whose checks are tried.
struct TrialPlace {
  service::LandingPlace const& place;
  MergeTree& tree;
  std::string const& joined;
  std::string const& tip;  ///< of the default branch, on which the work was put
};

/// Tries checks and tests before a person is asked whether work lands. Where the work changes files of the
/// checks, the files of the default branch are put back for one run of the checks. Where the board lists its
/// tests or keeps reports of them, the tests are compared with those of the default branch. What was found is
/// kept in memory for the same files, so that an answer of a person runs nothing again.
class LandingTrial {
 public:
  /// Nothing is owned. `stopping` is called while a command runs.
  LandingTrial(JoinedChecks const& checks, std::function<bool()> const& stopping)
      : checks_(checks), stopping_(stopping) {}

  /// Adds findings to the verdict. Returns why the work goes back, when its own checks fail; an error when
  /// the board does not answer. The tree holds the joined work before and afterwards.
  core::Result<std::optional<std::string>> run(TrialPlace const& trial, GateVerdict& verdict);

  /// True when the checks passed with these files in a trial.
  bool has_passed(service::LandingPlace const& place, MergeTree const& tree, std::string const& joined,
                  std::string const& tip) const;

 private:
  /// The result of a trial.
  struct Tried {
    std::string of;                    ///< the files, see `key_of`
    std::vector<std::string> lost{};   ///< tests
    std::string unknown{};             ///< why the tests of the default branch are not known
    std::vector<std::string> notes{};  ///< about the checks as they were, for the finding about them
    bool differs = false;              ///< the checks as they were fail
    bool has_passed = false;
  };

  static std::string key_of(service::LandingPlace const& place, MergeTree const& tree,
                            std::string const& joined, std::string const& tip);
  core::Result<CheckOutcome> outcome_at(TrialPlace const& trial, std::string const& commit) const;
  /// The tests of the default branch. Adds the reason when not all of them are known.
  core::Result<core::TestNames> tests_before(TrialPlace const& trial, std::string& unknown);
  core::Result<std::optional<std::string>> try_new(TrialPlace const& trial, Tried& tried);
  core::Result<void> try_old(TrialPlace const& trial, std::vector<ChangedEntry> const& checks, Tried& tried);

  JoinedChecks const& checks_;
  std::function<bool()> const& stopping_;
  std::map<core::RunId, Tried> tried_;
  struct Known {
    std::string of;  ///< the files of the commit, and the revision of the board
    core::TestNames tests;
  };
  std::map<core::BoardId, Known> known_;  ///< the tests of the newest commit that was looked at
};

}  // namespace andon::runner
