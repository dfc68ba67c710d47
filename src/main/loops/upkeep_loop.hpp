#pragma once

#include <stop_token>

#include "main/loops/step_loop.hpp"
#include "os/data/data_directory.hpp"
#include "runner/dispatch/upkeep.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Deletes what exceeds its retention, returns unused memory, and examines the whole database once a day. Has
/// its own thread, because an examination may take many seconds.
class UpkeepLoop {
 public:
  UpkeepLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data);
  /// Stops an examination that is running.
  ~UpkeepLoop();

 private:
  core::Instant step(core::Instant now);
  core::Instant examine(core::Instant now);
  core::Instant give_back_memory(core::Instant now);
  /// Removes contents of attachments that no record names any more.
  core::Instant clear_attachments(core::Instant now);

  api::LocalExecutor& executor_;
  os::DataDirectory data_;
  std::stop_source stopping_;
  runner::OperationClient client_;
  runner::Upkeep upkeep_;
  core::Instant next_look_;
  core::Instant next_giving_{};
  core::Instant next_clearing_{};
  core::TaskId clear_from_ = 0;
  StepLoop loop_;
};

}  // namespace andon::main
