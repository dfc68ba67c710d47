#pragma once

#include <string>

#include "core/model/resource_limits.hpp"
#include "runner/runs/end_record.hpp"

namespace andon::runner {

/// The use of the machine by a run, as it was measured and as the kernel kept it.
struct RunUse {
  core::ResourceUse used{};
  std::string excess{};            ///< the limit that was seen to be exceeded, as a sentence
  bool ran_out_of_memory = false;  ///< the kernel ended a process at the run's own limit
  bool machine_ran_out = false;    ///< the kernel ended processes because the machine had no memory left
};

/// Adds the use to the record. An agent that ended by itself beyond a limit, or that the kernel ended for it,
/// counts as ended by Andon for that reason.
void add_use(EndRecord& record, RunUse const& use, core::ResourceLimits const& limits);

}  // namespace andon::runner
