#pragma once

#include "core/time/time.hpp"
#include "runner/operation_client.hpp"

namespace andon::runner {

/// Fires automations that are due. The board returns the due ones, and each firing checks again in its own
/// write. Has no thread of its own.
class Scheduler {
 public:
  explicit Scheduler(OperationClient& client) : client_(client) {}

  /// One pass over all automations. Returns the time of the next step if the board does not change.
  core::Instant step(core::Instant now);

 private:
  OperationClient& client_;
};

}  // namespace andon::runner
