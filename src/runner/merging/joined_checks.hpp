#pragma once

#include <functional>
#include <optional>

#include "core/runs/test_names.hpp"
#include "runner/commands/tree_command.hpp"
#include "runner/merging/merge_tree.hpp"
#include "runner/operation_client.hpp"
#include "runner/setup/ready_tree.hpp"
#include "service/runs/landing_queue.hpp"

namespace andon::runner {

/// The end of the checks in a tree.
struct CheckOutcome {
  std::optional<std::string> failure{};   ///< the reason of the first failure
  std::optional<std::string> unlisted{};  ///< why the tests could not be listed
  core::TestNames tests{};
};

/// Runs the checks of a piece of the landing queue in the tree in which it was made, after the set-up of its
/// board.
class JoinedChecks {
 public:
  /// Nothing is owned. `stopping` is called while a command runs.
  JoinedChecks(OperationClient& client, CommandPlace const& commands, std::function<bool()> const& stopping)
      : client_(client), commands_(commands), stopping_(stopping) {}

  /// The reason of the first failure; nothing when all pass. An error when the board does not answer.
  /// `tree` holds `joined`, which was put on top of `tip`. The results of a set-up at `tip` are kept for the
  /// pieces with the same key files. Where a check fails with kept results, all runs once more after a set-up
  /// of its own, so that stale results refuse no work.
  core::Result<std::optional<std::string>> failure(service::LandingPlace const& place, MergeTree& tree,
                                                   std::string const& joined, std::string const& tip) const;

  /// Like `failure`, for any commit, and with the tests that the board's listing and reports name there.
  /// `tree` holds `commit`. Without a check and a listing, nothing is run.
  core::Result<CheckOutcome> outcome(service::LandingPlace const& place, MergeTree& tree,
                                     std::string const& commit, std::string const& tip) const;

 private:
  std::vector<std::string> environment_of(service::LandingPlace const& place, MergeTree const& tree) const;
  core::Result<std::optional<SandboxSpec>> sandbox_of_checks(
      service::LandingPlace const& place, MergeTree const& tree,
      std::vector<std::string> const& environment) const;

  OperationClient& client_;
  CommandPlace const& commands_;
  std::function<bool()> const& stopping_;
};

}  // namespace andon::runner
