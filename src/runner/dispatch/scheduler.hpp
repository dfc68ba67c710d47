#pragma once

#include "core/time/time.hpp"
#include "runner/desk.hpp"

namespace andon::runner {

/// Fires automations that are due. Pure loop body: what is due is asked of the board, and decided again in
/// the write that fires.
class Scheduler {
 public:
  explicit Scheduler(Desk& desk) : desk_(desk) {}

  /// One pass over all automations. Returns when to look again if the board does not change.
  core::Instant step(core::Instant now);

 private:
  Desk& desk_;
};

}  // namespace andon::runner
