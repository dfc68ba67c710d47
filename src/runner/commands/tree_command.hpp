#pragma once

#include <functional>

#include "core/model/board.hpp"
#include "os/data/data_directory.hpp"
#include "runner/git/git.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// The installation in which commands of boards run.
struct CommandPlace {
  os::DataDirectory data;
  std::vector<std::string> own;   ///< the server's environment; commands get a selection of it
  std::filesystem::path program;  ///< the `andon` that supervises them
};

/// A command of a board in the work tree of a task.
struct TreeCommand {
  core::Board const& board;
  core::TaskId task = 0;
  core::WorkPlace place;  ///< the tree
  CheckSpec command;
  core::Duration limit{};
  std::string folder{};  ///< of the tree, in which it runs
  std::string purpose;   ///< distinguishes the processes of this command from others in the tree
};

/// The variables of commands and people in the tree: the task, the board and the ports.
Environment tree_variables(core::Board const& board, core::TaskId task, std::filesystem::path const& tree,
                           os::DataDirectory const& data);

/// Runs the command with the variables of the tree, in a sandbox if the kernel has one, and ends all its
/// processes with it. `should_stop` is called every second.
core::CheckResult run_in_tree(TreeCommand const& command, CommandPlace const& place,
                              std::function<bool()> const& should_stop);

/// The sandbox of a command in a work tree; nothing when the kernel has none. `lender` as in `GitUse`.
std::optional<SandboxSpec> sandbox_of_tree(core::WorkPlace const& tree, std::filesystem::path const& lender,
                                           CommandPlace const& place, std::filesystem::path const& run_dir,
                                           std::vector<std::string> const& environment);

}  // namespace andon::runner
