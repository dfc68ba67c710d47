#pragma once

#include "os/data/data_directory.hpp"
#include "runner/operation_client.hpp"

namespace andon::runner {

/// Removes work trees whose work has landed, and, when all together take more than they may, those that hold
/// nothing of their own. What is dirty or not landed stays. Pure loop body.
class WorktreeGc {
 public:
  /// `stop` as in `GitUse`.
  WorktreeGc(OperationClient& client, os::DataDirectory data, int stop = -1)
      : client_(client), data_(std::move(data)), stop_(stop) {}

  /// Looks at all of them when it is time; returns when to call again.
  core::Instant step(core::Instant now);

 private:
  void tidy();

  OperationClient& client_;
  os::DataDirectory data_;
  int stop_;
  core::Instant next_{};
};

}  // namespace andon::runner
