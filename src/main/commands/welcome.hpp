#pragma once

#include <cstdint>

#include "api/local_executor.hpp"
#include "os/data/data_directory.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Fills a store without boards with the welcome board: a git repository in the data directory, three workers
/// with their profile, and their tasks, which wait in the backlog. Does nothing if the store has a board.
/// Throws when it fails.
void welcome(api::LocalExecutor& executor, os::DataDirectory const& data);

/// Starts the tasks of the welcome board when the first browser has signed in, so that a person sees them all
/// begin.
class WelcomeStart {
 public:
  explicit WelcomeStart(api::LocalExecutor& executor);

  /// Looks once and returns the time of the next look. A sign-in is no change that
  /// wakes the loops of the server.
  core::Instant step(core::Instant now);

 private:
  bool has_browser();

  api::LocalExecutor& executor_;
  runner::OperationClient client_;
  core::TokenId last_token_ = 0;  ///< the last credential looked at
  bool has_browser_ = false;
  bool is_over_ = false;
};

}  // namespace andon::main
