#pragma once

#include <filesystem>

#include "runner/operation_client.hpp"

namespace andon::runner {

/// Removes what is over its time: a slice of the store at a time, then directories of runs that ended long
/// ago. Pure loop body.
class Upkeep {
 public:
  Upkeep(OperationClient& client, std::filesystem::path runs) : client_(client), runs_(std::move(runs)) {}

  /// Returns when to call again.
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
