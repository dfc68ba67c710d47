#pragma once

#include "core/time/time.hpp"
#include "runner/operation_client.hpp"

namespace andon::runner {

/// Fires automations that are due. Pure loop body: what is due is asked of the board, and decided again in
/// the write that fires.
class Scheduler {
 public:
  explicit Scheduler(OperationClient& client) : client_(client) {}

  /// One pass over all automations. Returns when to look again if the board does not change.
  core::Instant step(core::Instant now);

 private:
  OperationClient& client_;
};

}  // namespace andon::runner
