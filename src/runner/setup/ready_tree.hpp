#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "runner/git/git.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/runs/tree_setup.hpp"

namespace andon::runner {

/// A work tree with its ports and copied files.
struct ReadyTree {
  std::vector<std::string> environment;  ///< `ANDON_PORT_0=N` and so on
  std::vector<std::string> secrets;      ///< the values in the copied files
};

/// A set-up of a work tree.
struct SetupTask {
  TreeSetup const& setup;
  Git const& tree;
  /// True when the tree has no work of an agent, so that its results may be kept for other tasks.
  bool is_untouched = false;
};

/// Runs one command of the set-up in the tree. It has ended with all its processes afterwards.
using RunInTree = std::function<core::CheckResult(CheckSpec const&, ReadyTree const&)>;

/// Copies files, takes ports, and runs the set-up unless it has ended well in this tree with the same key
/// files. A sentence when the tree cannot be made ready, with the output of the command that failed.
core::Result<ReadyTree> make_ready(SetupTask const& task, RunInTree const& run);

}  // namespace andon::runner
