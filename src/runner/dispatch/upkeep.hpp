#pragma once

#include <filesystem>

#include "runner/operation_client.hpp"

namespace andon::runner {

/// Deletes what exceeds its retention: slices of the store first, then directories of runs that ended long
/// ago. Has no thread of its own.
class Upkeep {
 public:
  Upkeep(OperationClient& client, std::filesystem::path runs) : client_(client), runs_(std::move(runs)) {}

  /// Returns the time of the next step.
  core::Instant step(core::Instant now);

 private:
  /// True when another slice is due.
  bool trim();
  void remove_run_directories(core::Instant now);

  OperationClient& client_;
  std::filesystem::path runs_;
  core::Instant next_{};
};

/// The highest number of a run that has a directory; 0 for none.
core::RunId highest_run_directory(std::filesystem::path const& runs);

}  // namespace andon::runner
