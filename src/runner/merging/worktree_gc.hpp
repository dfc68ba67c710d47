#pragma once

#include "runner/commands/tree_command.hpp"
#include "runner/operation_client.hpp"

namespace andon::runner {

/// Removes work trees whose work has landed. When all trees together exceed their limit, it also removes
/// those without work of their own. Trees with uncommitted or unlanded work stay. Also keeps the clones of
/// boards small. Has no thread of its own.
class WorktreeGc {
 public:
  /// `stop` as in `GitUse`. `should_stop` is called while a teardown runs.
  WorktreeGc(
      OperationClient& client, CommandPlace place, std::function<bool()> should_stop = [] { return false; },
      int stop = -1)
      : client_(client), place_(std::move(place)), should_stop_(std::move(should_stop)), stop_(stop) {}

  /// Examines all trees when it is time; returns the time of the next step.
  core::Instant step(core::Instant now);

 private:
  void tidy();
  void tidy_clones(std::vector<core::Board> const& boards) const;

  OperationClient& client_;
  CommandPlace place_;
  std::function<bool()> should_stop_;
  int stop_;
  core::Instant next_{};
};

}  // namespace andon::runner
