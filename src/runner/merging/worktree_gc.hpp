#pragma once

#include "os/data/data_directory.hpp"
#include "runner/operation_client.hpp"

namespace andon::runner {

/// Removes work trees whose work has landed. When all trees together exceed their limit, it also removes
/// those without work of their own. Trees with uncommitted or unlanded work stay. Has no thread of its own.
class WorktreeGc {
 public:
  /// `stop` as in `GitUse`.
  WorktreeGc(OperationClient& client, os::DataDirectory data, int stop = -1)
      : client_(client), data_(std::move(data)), stop_(stop) {}

  /// Examines all trees when it is time; returns the time of the next step.
  core::Instant step(core::Instant now);

 private:
  void tidy();

  OperationClient& client_;
  os::DataDirectory data_;
  int stop_;
  core::Instant next_{};
};

}  // namespace andon::runner
