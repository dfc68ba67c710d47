#pragma once

#include "service/requests.hpp"

namespace andon::service {

struct SweepResult {
  std::int64_t recovered = 0;  ///< tasks whose claim was over and that can be picked again
  bool more = false;           ///< there are more; sweep again
};
void describe(auto& field, SweepResult const*) {
  field(&SweepResult::recovered, "recovered", "Tasks put back", core::always);
  field(&SweepResult::more, "more", "Whether there are more", core::set_only);
}

/// Ends claims whose time is over and puts their tasks back where they can be picked. Each is judged again in
/// this very unit of work. A task whose run has not ended is left to its runner, which stops it first.
/// Free-form claims on open boards need nothing: an expired claim counts as none there. Looks at no claim
/// twice that needs nothing, and at a few hundred at most.
core::Result<SweepResult> sweep(OperationContext& ctx, NoRequest const&);

/// Gives every live claim one more lease after a restart or a wake-up, so that no task is lost because the
/// server was away.
core::Result<SweepResult> extend_leases(OperationContext& ctx, NoRequest const&);

}  // namespace andon::service
