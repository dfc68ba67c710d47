#pragma once

#include <stop_token>

#include "main/loops/step_loop.hpp"
#include "os/data/data_directory.hpp"
#include "runner/dispatch/upkeep.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Removes what is over its time, gives unused memory back, and reads the whole database once a day to see
/// whether it is sound. On a
/// thread of its own, since that may take many seconds.
class UpkeepLoop {
 public:
  UpkeepLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data);
  /// Ends a look at the database that is under way.
  ~UpkeepLoop();

 private:
  core::Instant step(core::Instant now);
  core::Instant examine(core::Instant now);
  core::Instant give_back_memory(core::Instant now);

  api::LocalExecutor& executor_;
  os::DataDirectory data_;
  std::stop_source stopping_;
  runner::OperationClient client_;
  runner::Upkeep upkeep_;
  core::Instant next_look_;
  core::Instant next_giving_{};
  StepLoop loop_;
};

}  // namespace andon::main
