#pragma once

#include <stop_token>

#include "main/loops/step_loop.hpp"
#include "os/data/data_directory.hpp"
#include "os/processes/event.hpp"
#include "runner/merging/merge_queue.hpp"
#include "runner/merging/worktree_gc.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Lands accepted work and removes old work trees. Has its own thread, because checks take long.
class MergeLoop {
 public:
  MergeLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data,
            std::filesystem::path const& program);
  /// Stops a running check; its work keeps its place in the queue.
  ~MergeLoop();

 private:
  runner::OperationClient client_;
  std::stop_source stopping_;
  os::Event stop_;  ///< ends running git commands
  runner::MergeQueue merge_queue_;
  runner::WorktreeGc worktree_gc_;
  StepLoop loop_;
};

}  // namespace andon::main
