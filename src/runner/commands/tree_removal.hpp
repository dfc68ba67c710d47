#pragma once

#include "runner/commands/tree_command.hpp"
#include "runner/operation_client.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {

/// Removes work trees after the teardown of their board has run in them.
class TreeRemoval {
 public:
  /// The place is not owned. `use` is for all git commands. `should_stop` is called while a teardown runs.
  TreeRemoval(CommandPlace const& place, GitUse use, std::function<bool()> should_stop)
      : place_(place), use_(std::move(use)), should_stop_(std::move(should_stop)) {}

  /// Removes a tree; its branch too when it has no unique work or `force` is set. Returns why the tree stays;
  /// empty when it is gone. With `force` a failed teardown keeps nothing.
  std::string remove(core::Board const& board, service::WorkTree const& tree, bool force) const;
  /// Removes the tree of a task whose work has just landed, unless it contains changes.
  void remove_landed(OperationClient& client, core::Board const& board, core::Task const& task) const;

 private:
  std::string tear_down(core::Board const& board, service::WorkTree const& tree) const;

  CommandPlace const& place_;
  GitUse use_;
  std::function<bool()> should_stop_;
};

}  // namespace andon::runner
